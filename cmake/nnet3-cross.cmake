# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A toolchain file: builds nnet3-rt-run and the rest of the runtime for another
# machine, with Clang and the headers and libraries of Debian's cross compilers:
#
#   cmake -S runtime -B build-aarch64 -DNNET3_BLAS=OFF \
#     -DCMAKE_TOOLCHAIN_FILE=$PWD/cmake/nnet3-cross.cmake \
#     -DNNET3_TARGET=aarch64-linux-gnu
#
# NNET3_TARGET: aarch64-linux-gnu, riscv64-linux-gnu or armv7-linux-gnueabihf.

set(NNET3_TARGET aarch64-linux-gnu CACHE STRING "The machine's triple")
# So that CMake's own small projects know it.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES NNET3_TARGET)

string(REGEX REPLACE "-.*" "" CMAKE_SYSTEM_PROCESSOR ${NNET3_TARGET})
set(CMAKE_SYSTEM_NAME Linux)
# Debian's name of the headers and libraries.
string(REGEX REPLACE "^armv7" "arm" gnu ${NNET3_TARGET})

find_program(NNET3_CLANG NAMES clang-22 clang REQUIRED)
find_program(NNET3_CLANGXX NAMES clang++-22 clang++ REQUIRED)
set(CMAKE_C_COMPILER ${NNET3_CLANG})
set(CMAKE_CXX_COMPILER ${NNET3_CLANGXX})
set(CMAKE_C_COMPILER_TARGET ${NNET3_TARGET})
set(CMAKE_CXX_COMPILER_TARGET ${NNET3_TARGET})
if(CMAKE_SYSTEM_PROCESSOR STREQUAL armv7)
  set(CMAKE_C_FLAGS_INIT -mfpu=neon)
  set(CMAKE_CXX_FLAGS_INIT -mfpu=neon)
endif()
foreach(kind EXE SHARED MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT -fuse-ld=lld)
endforeach()

# Libraries and headers are the machine's; flatc is this one's.
set(CMAKE_FIND_ROOT_PATH /usr/${gnu})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
