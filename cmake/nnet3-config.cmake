# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The package nnet3: find_package(nnet3)
#
#   nnet3::runtime   the interpreter of compiled programs, with the header
#                    nnet3/runtime/nnet3_runtime.h. For this machine, and where
#                    OpenBLAS is: who links the static library links that, too.
#   nnet3_add_library()   makes a library of a model; see nnet3-add-library.cmake.
#                         Where nnet3-compile is installed: NNET3_COMPILE_EXE.

if(NOT CMAKE_CROSSCOMPILING)
  find_library(NNET3_OPENBLAS_LIBRARY openblas)
  if(NNET3_OPENBLAS_LIBRARY AND NOT TARGET nnet3::openblas)
    add_library(nnet3::openblas UNKNOWN IMPORTED)
    set_target_properties(nnet3::openblas PROPERTIES
      IMPORTED_LOCATION "${NNET3_OPENBLAS_LIBRARY}")
  endif()
  if(TARGET nnet3::openblas)
    include("${CMAKE_CURRENT_LIST_DIR}/nnet3-targets.cmake")
  elseif(NOT nnet3_FIND_QUIETLY)
    message(STATUS "nnet3: there is no OpenBLAS, so there is no nnet3::runtime")
  endif()
endif()
find_program(NNET3_COMPILE_EXE nnet3-compile
  HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin" NO_DEFAULT_PATH)
include("${CMAKE_CURRENT_LIST_DIR}/nnet3-add-library.cmake")
