# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs the build BUILD_DIR into a folder below WORK_DIR and uses it from
# there (UsePackage.cmake). SOURCE_DIR is that of nnet3, VERSION its version.

file(REMOVE_RECURSE ${WORK_DIR})
set(PREFIX ${WORK_DIR}/installed)
execute_process(
  COMMAND ${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${PREFIX}
  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${output}")
endif()
set(WORK_DIR ${WORK_DIR}/use)
include(${CMAKE_CURRENT_LIST_DIR}/UsePackage.cmake)
