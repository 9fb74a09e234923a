# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The part of ahead-of-time libraries that is not generated, for other machines:
# lib/nnet3/TRIPLE has
#
#   libnnet3_library.a   that part, for archives of nnet3-compile
#   nnet3_library.o      the same with all that it uses of the C++ library
#   libgcc.a             what the compiler calls for want of instructions
#   lib*.so              the names of the system's libraries, to link with
#
# A machine's is built where the headers and libraries of Debian's cross
# compilers are, with a Clang.

option(NNET3_CROSS_RUNTIMES
  "Build the runtime's part of libraries for other machines" ON)
if(NOT NNET3_CROSS_RUNTIMES OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang"
   OR NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
  return()
endif()
find_program(NNET3_LLD_EXE NAMES ld.lld-22 ld.lld)
if(NOT NNET3_LLD_EXE)
  message(STATUS "No runtimes for other machines: ld.lld is not there")
  return()
endif()

# All of them.
add_custom_target(nnet3-cross-runtimes)

# Most of the time of a small file goes to headers, here once for each machine.
set(cross_unity UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 16)

set(cross_dir ${CMAKE_CURRENT_SOURCE_DIR}/cross)
# FlatBuffers alone: beside it are the headers of this machine's C library.
set(cross_include ${CMAKE_CURRENT_BINARY_DIR}/cross/include)
file(MAKE_DIRECTORY ${cross_include})
file(CREATE_LINK ${FLATBUFFERS_INCLUDE_DIR}/flatbuffers
  ${cross_include}/flatbuffers SYMBOLIC)

# A shared library SONAME that has nothing but the names of SYMBOLS. What is
# linked with it names it, and no version of its symbols.
function(nnet3_cross_stub triple folder soname symbols)
  string(REGEX REPLACE "[.]so[.].*" ".so" file ${soname})
  set(work ${CMAKE_CURRENT_BINARY_DIR}/cross/${triple}/${soname})
  set(text "\t.text\n")
  foreach(symbol ${symbols})
    string(APPEND text
      "\t.globl ${symbol}\n\t.type ${symbol},%function\n${symbol}:\n")
  endforeach()
  file(CONFIGURE OUTPUT ${work}.s CONTENT "${text}" @ONLY)
  add_custom_command(
    OUTPUT ${folder}/${file}
    COMMAND ${CMAKE_CXX_COMPILER} --target=${triple} -c ${work}.s -o ${work}.o
    COMMAND ${NNET3_LLD_EXE} -shared -soname ${soname} -o ${folder}/${file}
            ${work}.o
    DEPENDS ${work}.s
    COMMENT "Writing ${triple}/${file}"
    VERBATIM)
  set_property(GLOBAL APPEND PROPERTY nnet3_cross_${triple} ${folder}/${file})
endfunction()

# nnet3_link_runtime(TRIPLE TARGET library GCC folder COMPILE command... LIBRARIES
#                    name...)
# Writes all files for TRIPLE but the library TARGET. GCC is the folder of
# libstdc++.a. LIBRARIES are those of the system: of each NAME the file
# soname_NAME with symbols_NAME.
function(nnet3_link_runtime triple)
  cmake_parse_arguments(ARG "" "TARGET;GCC" "COMPILE;LIBRARIES" ${ARGN})
  set(folder ${CMAKE_ARCHIVE_OUTPUT_DIRECTORY}/nnet3/${triple})
  set(start ${CMAKE_CURRENT_BINARY_DIR}/cross/${triple}/shared_start.o)
  file(MAKE_DIRECTORY ${folder} ${CMAKE_CURRENT_BINARY_DIR}/cross/${triple})
  add_custom_command(
    OUTPUT ${folder}/nnet3_library.o
    COMMAND ${ARG_COMPILE} -x c -std=gnu99 -O2 -fPIC -fvisibility=hidden -Wall
            -Wextra -c ${cross_dir}/shared_start.c -o ${start}
    COMMAND ${NNET3_LLD_EXE} -r --strip-debug -o ${folder}/nnet3_library.o
            ${start} --whole-archive $<TARGET_FILE:${ARG_TARGET}>
            --no-whole-archive --start-group ${ARG_GCC}/libstdc++.a
            ${ARG_GCC}/libgcc_eh.a ${ARG_GCC}/libgcc.a --end-group
    DEPENDS ${ARG_TARGET} ${cross_dir}/shared_start.c
    COMMENT "Linking ${triple}/nnet3_library.o"
    VERBATIM)
  add_custom_command(
    OUTPUT ${folder}/libgcc.a
    COMMAND ${CMAKE_COMMAND} -E copy ${ARG_GCC}/libgcc.a ${folder}/libgcc.a
    VERBATIM)
  foreach(library ${ARG_LIBRARIES})
    nnet3_cross_stub(${triple} ${folder}
      "${soname_${library}}" "${symbols_${library}}")
  endforeach()
  get_property(files GLOBAL PROPERTY nnet3_cross_${triple})
  string(MAKE_C_IDENTIFIER "nnet3_library_${triple}" name)
  add_custom_target(${name}_files ALL
    DEPENDS ${folder}/nnet3_library.o ${folder}/libgcc.a ${files})
  add_dependencies(nnet3-cross-runtimes ${name}_files)
  install(DIRECTORY ${folder} DESTINATION lib/nnet3)
endfunction()

# nnet3_cross_runtime(TRIPLE GNU gnu-triple [ABI triple] [OPTIONS option...]
#                     LIBRARIES name...)
# GNU is Debian's name of the headers and libraries, ABI what the compiler is
# called for. LIBRARIES are those of nnet3_link_runtime.
function(nnet3_cross_runtime triple)
  cmake_parse_arguments(ARG "" "GNU;ABI" "OPTIONS;LIBRARIES" ${ARGN})
  if(NOT ARG_ABI)
    set(ARG_ABI ${triple})
  endif()
  file(GLOB versions LIST_DIRECTORIES true /usr/lib/gcc-cross/${ARG_GNU}/*)
  list(SORT versions COMPARE NATURAL ORDER DESCENDING)
  list(POP_FRONT versions gcc_dir)
  if(NOT EXISTS "${gcc_dir}/libstdc++.a"
     OR NOT EXISTS /usr/${ARG_GNU}/include/stdlib.h)
    message(STATUS "No runtime for ${triple}: needs the libraries of "
      "g++-${ARG_GNU}")
    return()
  endif()
  message(STATUS "Runtime for ${triple}: ${gcc_dir}")
  set(folder ${CMAKE_ARCHIVE_OUTPUT_DIRECTORY}/nnet3/${triple})
  string(MAKE_C_IDENTIFIER "nnet3_library_${triple}" name)
  add_library(${name} STATIC
    $<TARGET_PROPERTY:nnet3_kernels,SOURCES>
    ${library_sources}
    cpu/math/GemmPortable.cpp)
  target_include_directories(${name} PRIVATE
    ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/include)
  target_include_directories(${name} SYSTEM PRIVATE
    ${generated_dir} ${cross_include})
  add_dependencies(${name} nnet3_program_schema_gen)
  target_compile_options(${name} PRIVATE ${library_options}
    --target=${ARG_ABI} ${ARG_OPTIONS} -fno-sanitize=all)
  set_target_properties(${name} PROPERTIES ${cross_unity}
    OUTPUT_NAME nnet3_library ARCHIVE_OUTPUT_DIRECTORY ${folder})

  nnet3_link_runtime(${triple} TARGET ${name} GCC ${gcc_dir}
    COMPILE ${CMAKE_CXX_COMPILER} --target=${ARG_ABI} ${ARG_OPTIONS}
    LIBRARIES ${ARG_LIBRARIES})
  set_property(GLOBAL APPEND PROPERTY NNET3_CROSS_RUNTIMES ${triple})
endfunction()

# What stands in libraries.txt.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  ${cross_dir}/libraries.txt)
file(STRINGS ${cross_dir}/libraries.txt lines REGEX "^[a-z]")
foreach(line ${lines})
  string(REPLACE " " ";" words ${line})
  list(GET words 0 library)
  list(GET words 1 symbol)
  list(APPEND symbols_${library} ${symbol})
endforeach()

# GNU's system.
set(soname_libm libm.so.6)
set(soname_libpthread libpthread.so.0)
set(soname_libdl_gnu libdl.so.2)
set(soname_glibc libc.so.6)
list(APPEND symbols_glibc ${symbols_libc} ${symbols_libdl})
set(gnu_libraries libm libpthread glibc)
nnet3_cross_runtime(aarch64-linux-gnu GNU aarch64-linux-gnu
  LIBRARIES ${gnu_libraries})
nnet3_cross_runtime(riscv64-linux-gnu GNU riscv64-linux-gnu
  LIBRARIES ${gnu_libraries})
nnet3_cross_runtime(armv7-linux-gnueabihf GNU arm-linux-gnueabihf
  OPTIONS -mfpu=neon LIBRARIES ${gnu_libraries})

# This machine's, whose libraries may be for GPUs, too.
file(GLOB versions LIST_DIRECTORIES true
  /usr/lib/gcc/${CMAKE_SYSTEM_PROCESSOR}-linux-gnu/*/libstdc++.a)
list(SORT versions COMPARE NATURAL ORDER DESCENDING)
list(POP_FRONT versions native_libstdcxx)
if(native_libstdcxx AND NOT NNET3_SANITIZE AND NOT NNET3_SANITIZE_THREAD)
  cmake_path(GET native_libstdcxx PARENT_PATH native_gcc_dir)
  nnet3_link_runtime(${CMAKE_SYSTEM_PROCESSOR}-linux-gnu
    TARGET nnet3_library GCC ${native_gcc_dir} COMPILE ${CMAKE_CXX_COMPILER}
    LIBRARIES ${gnu_libraries} libdl_gnu)
endif()

# Android's: what of GNU's headers the runtime uses is the same there.
# shared_start.c has the differences in names.
set(soname_android_libm libm.so)
set(symbols_android_libm ${symbols_libm})
set(soname_libdl libdl.so)
set(soname_bionic libc.so)
list(APPEND symbols_bionic ${symbols_libc} ${symbols_libpthread})
file(GLOB cxx_include LIST_DIRECTORIES true /usr/aarch64-linux-gnu/include/c++/*)
list(SORT cxx_include COMPARE NATURAL ORDER DESCENDING)
list(POP_FRONT cxx_include cxx_include_dir)
nnet3_cross_runtime(aarch64-linux-android GNU aarch64-linux-gnu
  ABI aarch64-linux-android29
  OPTIONS -U__ANDROID__ -DNNET3_BIONIC -nostdinc++
    -isystem${cxx_include_dir}
    -isystem${cxx_include_dir}/aarch64-linux-gnu
    -isystem/usr/aarch64-linux-gnu/include
  LIBRARIES android_libm libdl bionic)
