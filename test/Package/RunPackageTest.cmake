# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs the build BUILD_DIR into a folder below WORK_DIR and uses it as the
# package nnet3 from the project beside this file. SOURCE_DIR is that of nnet3.

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result
    OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
set(prefix ${WORK_DIR}/installed)
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})

set(program ${WORK_DIR}/tdnn.program)
set(tools ${prefix}/bin)
run(${tools}/nnet3-translate --raw-to-mlir
  --request=${SOURCE_DIR}/examples/tdnn/chunk.request
  ${SOURCE_DIR}/examples/tdnn/tdnn.raw -o ${WORK_DIR}/tdnn.mlir)
run(${tools}/nnet3-opt --nnet3-compile ${WORK_DIR}/tdnn.mlir
  -o ${WORK_DIR}/computation.mlir)
run(${tools}/nnet3-translate --mlir-to-program ${WORK_DIR}/computation.mlir
  -o ${program})

run(${tools}/nnet3-rt-run --list ${program})

set(build ${WORK_DIR}/build)
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${build}
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH=${prefix}
  -DNNET3_SOURCE_DIR=${SOURCE_DIR} -DNNET3_PROGRAM=${program})
run(${CMAKE_COMMAND} --build ${build})
run(${CMAKE_CTEST_COMMAND} --test-dir ${build} --output-on-failure)
