# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds nnet3-rt-run of SOURCE_DIR for the machine TARGET in BUILD_DIR, as
# cmake/nnet3-cross.cmake says. LAUNCHER goes before the compiler.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result
    OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${output}")
  endif()
endfunction()

run(${CMAKE_COMMAND} -G Ninja -S ${SOURCE_DIR}/runtime -B ${BUILD_DIR}
  -DCMAKE_TOOLCHAIN_FILE=${SOURCE_DIR}/cmake/nnet3-cross.cmake
  -DNNET3_TARGET=${TARGET} -DNNET3_BLAS=OFF
  -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=16
  -DCMAKE_C_COMPILER_LAUNCHER=${LAUNCHER}
  -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER})
run(${CMAKE_COMMAND} --build ${BUILD_DIR} --target nnet3-rt-run)
