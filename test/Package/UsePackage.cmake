# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Uses nnet3 where it is installed: the tools in PREFIX/bin, and the package nnet3
# from the project beside this file. SOURCE_DIR has examples/ and the source of the
# demonstration program, VERSION is the version that the tools have to name.
# WORK_DIR is for what is made; at the end it has the outputs of the example as the
# model (model.ark) and as a library (library.ark) computes them.
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${WORK_DIR}
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${result}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR})
set(tools ${PREFIX}/bin)
set(tdnn ${SOURCE_DIR}/examples/tdnn)

foreach(tool nnet3 nnet3-chain-train nnet3-compile nnet3-copy nnet3-lsp-server nnet3-opt nnet3-reduce
        nnet3-rt-run nnet3-run nnet3-train nnet3-translate)
  run(${tools}/${tool} --version)
  if(NOT output MATCHES "^nnet3-mlir ${VERSION}[,\n]")
    message(FATAL_ERROR "expects version ${VERSION}, but got '${output}'")
  endif()
endforeach()

foreach(file man/man1/nnet3-run.1 bash-completion/completions/nnet3-run
        zsh/vendor-completions/_nnet3-run fish/vendor_completions.d/nnet3-run.fish
        doc/nnet3-mlir/copyright)
  if(NOT EXISTS ${PREFIX}/share/${file})
    message(FATAL_ERROR "share/${file} is not installed")
  endif()
endforeach()

# The example of the README.
set(options --ivectors=ark:${tdnn}/ivectors.ark --frame-subsampling-factor=3)
run(${tools}/nnet3-run ${options} ${tdnn}/tdnn.raw ark:${tdnn}/features.ark
  ark,t:model.ark)
run(${tools}/nnet3-compile --chunk=30 --frame-subsampling-factor=3 -o net
  ${tdnn}/tdnn.raw)
run(${tools}/nnet3-run ${options} libnet.so ark:${tdnn}/features.ark
  ark,t:library.ark)

# A program for the interpreter.
run(${tools}/nnet3-translate --raw-to-mlir --request=${tdnn}/chunk.request
  ${tdnn}/tdnn.raw -o tdnn.mlir)
run(${tools}/nnet3-opt --nnet3-compile tdnn.mlir -o computation.mlir)
run(${tools}/nnet3-translate --mlir-to-program computation.mlir
  -o tdnn.program)
run(${tools}/nnet3-rt-run --list tdnn.program)

# A project outside.
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B build
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH=${PREFIX}
  -DNNET3_SOURCE_DIR=${SOURCE_DIR} -DNNET3_PROGRAM=${WORK_DIR}/tdnn.program)
run(${CMAKE_COMMAND} --build build)
run(${CMAKE_CTEST_COMMAND} --test-dir build --output-on-failure)

# A project for another machine, where one is emulated.
set(machine aarch64-linux-gnu)
find_program(emulator qemu-aarch64-static)
if(emulator AND EXISTS ${PREFIX}/lib/nnet3/${machine}
   AND EXISTS /usr/${machine}/lib)
  run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/Cross -B cross
    -DCMAKE_TOOLCHAIN_FILE=${SOURCE_DIR}/cmake/nnet3-cross.cmake
    -DNNET3_TARGET=${machine} -Dnnet3_DIR=${PREFIX}/lib/cmake/nnet3
    -DNNET3_SOURCE_DIR=${SOURCE_DIR})
  run(${CMAKE_COMMAND} --build cross)
  run(${emulator} -L /usr/${machine} cross/run_chunk)
  if(NOT output MATCHES "output output: 10 x 24")
    message(FATAL_ERROR "run_chunk prints '${output}'")
  endif()
endif()
