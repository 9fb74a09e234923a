// RUN: nnet3-translate --mlir-to-dot --symbol=stream %s | FileCheck %s

// The commands of a loop stand behind it; a round's matrix is that of the first
// round. A compressed matrix is one of its own.
// CHECK: c0_1 [label="c1 loop"
// CHECK: c0_3 [label="c3 matrix_add", tooltip="matrix_add %0 +-> %[[IN:[a-z0-9]+]]"
// CHECK: c0_5 [label="c5 compress_matrix", tooltip="compress_matrix %0 -> %[[C:[0-9a-z]+]] [1 x 4]"
// CHECK: c0_6 [label="c6 decompress_matrix", tooltip="decompress_matrix %[[C]] -> %[[D:[0-9a-z]+]] [1 x 4]"
// CHECK: c0_0 -> c0_3 [label="%0 1x4"];
// CHECK: c0_2 -> c0_3 [label="%[[IN]] 1x4"];
// CHECK: c0_5 -> c0_6 [label="%[[C]] 1x4"];
// CHECK: c0_6 -> c0_7 [label="%[[D]] 1x4", style=dotted];
nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  nnet3.output_node "output", %in : !nnet3.rows<4>
}

nnet3.computation @stream for @net {
  %m = nnet3.alloc_matrix_zeroed : memref<1x4xf32>
  nnet3.loop (%s = %m : memref<1x4xf32>) {
    %in = nnet3.accept_input "input" : memref<1x4xf32>
    nnet3.matrix_add %s into %in : memref<1x4xf32> into memref<1x4xf32>
    nnet3.provide_output "output", %in : memref<1x4xf32>
    %c = nnet3.compress_matrix %s range 1.000000e+00 truncate : memref<1x4xf32> -> !nnet3.compressed<1x4xui8>
    %d = nnet3.decompress_matrix %c : !nnet3.compressed<1x4xui8> -> memref<1x4xf32>
    nnet3.dealloc_matrix %d : memref<1x4xf32>
    nnet3.yield %in : memref<1x4xf32>
  }
}
