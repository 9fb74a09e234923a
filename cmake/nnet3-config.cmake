# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The package nnet3: find_package(nnet3)
#
#   nnet3::runtime   the interpreter of compiled programs, with the header
#                    nnet3/runtime/nnet3_runtime.h
#   nnet3_add_library()   makes a library of a model; see nnet3-add-library.cmake.
#                         Where nnet3-compile is installed: NNET3_COMPILE_EXE.


# The runtime is a static library: who links it links what it needs.
find_library(NNET3_OPENBLAS_LIBRARY openblas)
if(NOT NNET3_OPENBLAS_LIBRARY)
  set(nnet3_FOUND FALSE)
  set(nnet3_NOT_FOUND_MESSAGE "nnet3 needs OpenBLAS, which is not there")
  return()
endif()
if(NOT TARGET nnet3::openblas)
  add_library(nnet3::openblas UNKNOWN IMPORTED)
  set_target_properties(nnet3::openblas PROPERTIES
    IMPORTED_LOCATION "${NNET3_OPENBLAS_LIBRARY}")
endif()

include("${CMAKE_CURRENT_LIST_DIR}/nnet3-targets.cmake")
find_program(NNET3_COMPILE_EXE nnet3-compile
  HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin" NO_DEFAULT_PATH)
include("${CMAKE_CURRENT_LIST_DIR}/nnet3-add-library.cmake")
