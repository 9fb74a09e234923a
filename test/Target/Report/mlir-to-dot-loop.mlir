// RUN: nnet3-translate --mlir-to-dot --symbol=steps %s | FileCheck %s

// The commands of a loop stand behind it; a view that moves is one of its
// matrix.
// CHECK: c0_1 [label="c1 loop"
// CHECK: c0_3 [label="c3 matrix_add", tooltip="matrix_add %[[IN:[a-z0-9]+]] +-> %[[IN]]"
// CHECK: c0_0 -> c0_2 [label="%0 4x4"
nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  nnet3.output_node "output", %in : !nnet3.rows<4>
}

nnet3.computation @steps for @net {
  %m = nnet3.accept_input "input" : memref<4x4xf32>
  nnet3.loop %round to 4 {
    %from = nnet3.moving_sub_matrix %m[0 + 1 * %round, 0] : memref<4x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    nnet3.matrix_copy %from into %from : memref<1x4xf32, strided<[4, 1], offset: ?>> into memref<1x4xf32, strided<[4, 1], offset: ?>>
    nnet3.matrix_add %from into %from : memref<1x4xf32, strided<[4, 1], offset: ?>> into memref<1x4xf32, strided<[4, 1], offset: ?>>
  }
  nnet3.provide_output "output", %m : memref<4x4xf32>
}
