// RUN: split-file %s %t
// RUN: nnet3-opt %t/network.mlir -nnet3-verify-phase
// RUN: cat %t/network.mlir %t/request.mlir | nnet3-opt -nnet3-verify-phase=phase=request
// RUN: cat %t/network.mlir %t/command.mlir | nnet3-opt -nnet3-verify-phase=phase=command
// RUN: cat %t/network.mlir %t/request.mlir | not nnet3-opt -nnet3-verify-phase 2>&1 | FileCheck %s --check-prefix=NETWORK
// RUN: cat %t/network.mlir %t/command.mlir | not nnet3-opt -nnet3-verify-phase=phase=request 2>&1 | FileCheck %s --check-prefix=REQUEST
// RUN: cat %t/network.mlir %t/request.mlir %t/command.mlir | not nnet3-opt -nnet3-verify-phase=phase=command 2>&1 | FileCheck %s --check-prefix=COMMAND
// RUN: cat %t/network.mlir %t/kernel.mlir | nnet3-opt -nnet3-verify-phase=phase=kernel
// RUN: cat %t/network.mlir %t/loop.mlir | nnet3-opt -nnet3-verify-phase=phase=loop
// RUN: cat %t/network.mlir %t/loop.mlir | nnet3-opt -nnet3-kernels-to-llvm -nnet3-verify-phase=phase=llvm
// RUN: cat %t/network.mlir %t/command.mlir | not nnet3-opt -nnet3-verify-phase=phase=kernel 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: cat %t/network.mlir %t/kernel.mlir | not nnet3-opt -nnet3-verify-phase=phase=loop 2>&1 | FileCheck %s --check-prefix=LOOP
// RUN: cat %t/network.mlir %t/loop.mlir | not nnet3-opt -nnet3-verify-phase=phase=llvm 2>&1 | FileCheck %s --check-prefix=LLVM

// NETWORK: error: 'nnet3.request' op does not belong in phase 'network'
// REQUEST: error: 'nnet3.computation' op does not belong in phase 'request'
// COMMAND: error: 'nnet3.request' op does not belong in phase 'command'
// COMMAND-NOT: error:
// KERNEL: error: 'nnet3.computation' op does not belong in phase 'kernel'
// LOOP: error: 'kernel.map' op does not belong in phase 'loop'
// LLVM: error: 'func.func' op does not belong in phase 'llvm'

//--- network.mlir
nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  nnet3.output_node "output", %in : !nnet3.rows<4>
}
//--- request.mlir
nnet3.request @request for @net {
  nnet3.request_input "input" <t = 0>
  nnet3.request_output "output" <t = 0>
}
//--- command.mlir
nnet3.computation @computation for @net {
  %m = nnet3.accept_input "input" : memref<1x4xf32>
  nnet3.provide_output "output", %m : memref<1x4xf32>
}
//--- kernel.mlir
func.func @fill(%y: memref<3x4xf32>) {
  kernel.map outs(%y : memref<3x4xf32>) {
    %one = arith.constant 1.0 : f32
    kernel.yield %one : f32
  }
  return
}
//--- loop.mlir
func.func @loop(%begin: index, %end: index, %step: index) {
  scf.for %i = %begin to %end step %step {
  }
  return
}
