# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# nnet3_add_library(NAME MODEL file
#   {CHUNK frames... [SEQUENCES n...] [FRAME_SUBSAMPLING_FACTOR n] |
#    REQUEST file}
#   [TARGET cpu|cuda|triple] [GPU_ARCH arch...] [PREFIX prefix]
#   [OPTIONS option...])
#
# A target NAME to link with: the library that nnet3-compile makes of a model,
# with its header NAME.h, made again when the model or the request changes.
# With TARGET cuda it runs on GPUs: those of GPU_ARCH, such as sm_90, and later
# ones. Nothing of CUDA is needed to build or to link it. With a triple, such as
# aarch64-linux-gnu, it is for another machine. PREFIX is what its functions
# begin with, NAME unless given; OPTIONS are further options of nnet3-compile,
# such as --target-cpu=x86-64-v3.
function(nnet3_add_library name)
  cmake_parse_arguments(ARG ""
    "MODEL;REQUEST;FRAME_SUBSAMPLING_FACTOR;TARGET;PREFIX"
    "CHUNK;SEQUENCES;GPU_ARCH;OPTIONS" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR
      "nnet3_add_library: unknown arguments ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT ARG_MODEL)
    message(FATAL_ERROR "nnet3_add_library: expects MODEL")
  endif()
  if(ARG_GPU_ARCH AND NOT ARG_TARGET STREQUAL "cuda")
    message(FATAL_ERROR "nnet3_add_library: GPU_ARCH expects TARGET cuda")
  endif()
  if(ARG_TARGET MATCHES "^wasm")
    message(FATAL_ERROR
      "nnet3_add_library: WebAssembly has no shared libraries")
  endif()
  if(NOT NNET3_COMPILE_EXE)
    message(FATAL_ERROR
      "nnet3_add_library: needs nnet3-compile, which is not installed")
  endif()
  get_filename_component(model "${ARG_MODEL}" ABSOLUTE)
  set(arguments ${ARG_OPTIONS})
  set(inputs "${model}")
  if(ARG_REQUEST)
    get_filename_component(request "${ARG_REQUEST}" ABSOLUTE)
    list(APPEND arguments "--request=${request}")
    list(APPEND inputs "${request}")
  endif()
  foreach(option CHUNK SEQUENCES FRAME_SUBSAMPLING_FACTOR TARGET GPU_ARCH)
    if(ARG_${option})
      list(JOIN ARG_${option} "," values)
      string(TOLOWER "${option}" flag)
      string(REPLACE "_" "-" flag "${flag}")
      list(APPEND arguments "--${flag}=${values}")
    endif()
  endforeach()
  if(ARG_PREFIX)
    list(APPEND arguments "--prefix=${ARG_PREFIX}")
  endif()
  # A folder of its own: what includes the header sees nothing else.
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${name}.nnet3")
  file(MAKE_DIRECTORY "${folder}")
  set(library "${folder}/lib${name}.so")
  add_custom_command(
    OUTPUT "${library}" "${folder}/${name}.h"
    COMMAND "${NNET3_COMPILE_EXE}" ${arguments} -o "${folder}/${name}"
      "${model}"
    DEPENDS ${inputs} "${NNET3_COMPILE_EXE}"
    COMMENT "Compiling ${ARG_MODEL}"
    VERBATIM)
  add_custom_target(${name}_nnet3 ALL DEPENDS "${library}" "${folder}/${name}.h")
  add_library(${name} SHARED IMPORTED)
  add_dependencies(${name} ${name}_nnet3)
  set_target_properties(${name} PROPERTIES
    IMPORTED_LOCATION "${library}"
    IMPORTED_NO_SONAME TRUE
    INTERFACE_INCLUDE_DIRECTORIES "${folder}")
endfunction()
