# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The part of ahead-of-time libraries that is not generated, for WebAssembly:
# lib/nnet3/wasm32-unknown-unknown has
#
#   libnnet3_library.a   that part, and features, for programs in C
#   nnet3_library.o      the same with all that it uses of the C and C++ library
#
# Both are compiled with the headers of Debian's wasi-libc, but a module has no
# system under it: web/Host.cpp stands for that.

if(NOT NNET3_CROSS_RUNTIMES OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang"
   OR NOT NNET3_LLD_EXE)
  return()
endif()
find_program(NNET3_WASM_LD_EXE NAMES wasm-ld-22 wasm-ld)
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-resource-dir
  OUTPUT_VARIABLE resource_dir OUTPUT_STRIP_TRAILING_WHITESPACE)
get_filename_component(clang_lib ${resource_dir}/../.. ABSOLUTE)
set(web_archives
  ${clang_lib}/wasm32-wasi/libc++.a
  ${clang_lib}/wasm32-wasi/libc++abi.a
  /usr/lib/wasm32-wasi/libc.a
  ${resource_dir}/lib/wasi/libclang_rt.builtins-wasm32.a)
foreach(file ${NNET3_WASM_LD_EXE} ${web_archives})
  if(NOT EXISTS ${file})
    message(STATUS "No runtime for WebAssembly: needs ${file}")
    return()
  endif()
endforeach()
message(STATUS "Runtime for WebAssembly: ${clang_lib}/wasm32-wasi")

find_path(KISSFFT_INCLUDE_DIR kissfft/kissfft.hh REQUIRED)
file(CREATE_LINK ${KISSFFT_INCLUDE_DIR}/kissfft ${cross_include}/kissfft
  SYMBOLIC)
set(web_triple wasm32-unknown-unknown)
set(web_folder ${CMAKE_ARCHIVE_OUTPUT_DIRECTORY}/nnet3/${web_triple})
set(web_sources $<TARGET_PROPERTY:nnet3_kernels,SOURCES> ${library_sources})
file(GLOB feature_sources CONFIGURE_DEPENDS
  RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} features/*.cpp)
# What generated code may call here and elsewhere (libraries.txt): a table, so
# that the functions become part of nnet3_library.o. Modules do not have it.
list(FILTER symbols_libm INCLUDE REGEX "f$")
list(TRANSFORM symbols_libm REPLACE "(.+)"
  "    reinterpret_cast<void (*)()>(\\1),\n" OUTPUT_VARIABLE web_functions)
list(JOIN web_functions "" web_functions)
set(web_math ${CMAKE_CURRENT_BINARY_DIR}/cross/${web_triple}/math.cpp)
file(CONFIGURE OUTPUT ${web_math} CONTENT "#include <math.h>
extern void (*const nnet3web_math[])();
void (*const nnet3web_math[])() = {
@web_functions@};
" @ONLY)
# Not what asks a system for threads and files.
add_library(nnet3_library_web STATIC
  "$<FILTER:${web_sources},EXCLUDE,MappedFile|ThreadPool>"
  ${feature_sources}
  cpu/math/GemmPortable.cpp
  ${web_math}
  web/Host.cpp
  web/NoFiles.cpp
  web/NoThreads.cpp)
target_include_directories(nnet3_library_web PRIVATE
  ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/include)
target_include_directories(nnet3_library_web SYSTEM PRIVATE
  ${generated_dir} ${cross_include})
add_dependencies(nnet3_library_web nnet3_program_schema_gen)
# The C++ library has no exceptions: those of the runtime, which are about
# memory, end the program. Clang calls the name of the system deprecated.
target_compile_options(nnet3_library_web PRIVATE ${library_options}
  --target=wasm32-wasi -Wno-deprecated -msimd128 -fexceptions
  -fno-sanitize=all)
# They define what the headers of others declare.
set_source_files_properties(web/Host.cpp web/NoFiles.cpp web/NoThreads.cpp
  PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
set_target_properties(nnet3_library_web PROPERTIES ${cross_unity}
  POSITION_INDEPENDENT_CODE OFF
  OUTPUT_NAME nnet3_library ARCHIVE_OUTPUT_DIRECTORY ${web_folder})
add_custom_command(
  OUTPUT ${web_folder}/nnet3_library.o
  COMMAND ${NNET3_WASM_LD_EXE} -r --strip-debug
          -o ${web_folder}/nnet3_library.o
          --whole-archive $<TARGET_FILE:nnet3_library_web> --no-whole-archive
          ${web_archives}
  DEPENDS nnet3_library_web
  COMMENT "Linking ${web_triple}/nnet3_library.o"
  VERBATIM)
add_custom_target(nnet3_library_web_files ALL
  DEPENDS ${web_folder}/nnet3_library.o)
add_dependencies(nnet3-cross-runtimes nnet3_library_web_files)
install(DIRECTORY ${web_folder} DESTINATION lib/nnet3)
set_property(GLOBAL APPEND PROPERTY NNET3_CROSS_RUNTIMES ${web_triple})
