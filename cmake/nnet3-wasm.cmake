# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A toolchain file: builds modules of WebAssembly with SIMD, with Clang and the
# headers of Debian's wasi-libc, and without Emscripten. examples/wasm uses it.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)

find_program(NNET3_CLANG NAMES clang-22 clang REQUIRED)
find_program(NNET3_CLANGXX NAMES clang++-22 clang++ REQUIRED)
set(CMAKE_C_COMPILER ${NNET3_CLANG})
set(CMAKE_CXX_COMPILER ${NNET3_CLANGXX})
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
# Clang calls the name of the system deprecated, but Debian's folders have it.
set(CMAKE_C_FLAGS_INIT "-msimd128 -Wno-deprecated")
set(CMAKE_CXX_FLAGS_INIT "-msimd128 -Wno-deprecated")
# Modules have no main function, and functions that they export.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-nostartfiles -Wl,--no-entry")
set(CMAKE_EXECUTABLE_SUFFIX .wasm)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
