// RUN: not nnet3-translate --mlir-to-print --symbol=fused %s 2>&1 | FileCheck %s --check-prefix=FUSED
// RUN: not nnet3-translate --mlir-to-print --symbol=step %s 2>&1 | FileCheck %s --check-prefix=STEP
// RUN: not nnet3-translate --mlir-to-print --symbol=loop %s 2>&1 | FileCheck %s --check-prefix=LOOP
// RUN: not nnet3-translate --mlir-to-print --symbol=net %s 2>&1 | FileCheck %s --check-prefix=NONE

// NONE: mlir-to-print-invalid.mlir:1:1: error: expects a request or a computation called 'net', but there is none
nnet3.network @net {
  nnet3.affine @affine {input_dim = 4, output_dim = 4}
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  %h = nnet3.component_node "h" @affine(%in) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  nnet3.output_node "output", %h : !nnet3.rows<4>
}

nnet3.computation @fused for @net {
  %1 = nnet3.accept_input "input" : memref<3x4xf32>
  %2 = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  // FUSED: mlir-to-print-invalid.mlir:[[@LINE+1]]:3: error: {{.*}}'fused_affine' has no printed form
  nnet3.fused_affine @net::@affine ins(%1 : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias outs(%2 : memref<3x4xf32>)
}

nnet3.computation @step for @net {
  %1 = nnet3.accept_input "input" : memref<4x4xf32>
  %2 = nnet3.alloc_matrix_zeroed : memref<1x4xf32>
  // STEP: mlir-to-print-invalid.mlir:[[@LINE+1]]:3: error: {{.*}}with a step has no printed form
  nnet3.add_row_ranges %1 begin <0> end <3> step 2 into %2 : memref<4x4xf32> into memref<1x4xf32>
}

nnet3.computation @loop for @net {
  // LOOP: mlir-to-print-invalid.mlir:[[@LINE+1]]:3: error: {{.*}}'loop' has no printed form
  nnet3.loop %round to 2 {}
}
