// RUN: nnet3-translate --mlir-to-dot --symbol=run %s | FileCheck %s

// Matrices go from the commands that wrote them last to those that read them;
// the marker stands between the passes.
// CHECK-NOT: network
// CHECK: label="computation @run";
// CHECK: c0_0 [label="c0 accept_input\ninput", tooltip="accept_input \"input\" -> %[[IN:[0-9]+]] [4 x 2]", shape=ellipse
// CHECK: c0_1 [label="c1 alloc_matrix_zeroed"
// CHECK: c0_2 [label="c2 matrix_copy", tooltip="matrix_copy %[[IN]] -> %[[M:[0-9]+]](:, 0:1)", fillcolor="#dbe8f7"
// CHECK: c0_3 [label="c3 copy_rows", tooltip="copy_rows %[[IN]] -> %[[M]](:, 2:3) <0:1, 1:2> alpha 0.5"
// CHECK: c0_4 [label="c4 propagate\nsigm", tooltip="propagate @sigm %[[M]] -> %[[M]]"
// CHECK: c0_5 [label="c5 provide_output\noutput"
// CHECK: c0_6 [label="c6 no_operation_marker", tooltip="no_operation_marker", shape=hexagon
// CHECK: c0_9 [label="c9 backprop\nsigm"{{.*}}, fillcolor="#f9ddd5"
// CHECK: c0_5 -> c0_6 [style=dotted
// CHECK: c0_6 -> c0_7 [style=dotted
// CHECK: c0_0 -> c0_2 [label="%[[IN]] 4x2"];
// CHECK-NEXT: c0_1 -> c0_2 [label="%[[M]] 4x4", style=dotted];
// CHECK-NEXT: c0_0 -> c0_3 [label="%[[IN]] 4x2"];
// CHECK-NEXT: c0_1 -> c0_3 [label="%[[M]] 4x4", style=dotted];
// CHECK-NEXT: c0_2 -> c0_4 [label="%[[M]] 4x4"];
// CHECK-NEXT: c0_3 -> c0_4 [label="%[[M]] 4x4"];
// CHECK-NEXT: c0_4 -> c0_5 [label="%[[M]] 4x4"];
// CHECK-NEXT: c0_4 -> c0_9
// CHECK-NEXT: c0_7 -> c0_9
// CHECK-NEXT: c0_8 -> c0_9 [label="%{{[0-9]+}} 4x4", style=dotted];
// CHECK-NEXT: c0_9 -> c0_10 [label="%{{[0-9]+}} 4x4", style=dotted];
nnet3.network @net {
  nnet3.sigmoid @sigm {dim = 4}
  %in = nnet3.input_node "input" : !nnet3.rows<2>
  %next = nnet3.offset %in, t = 1 : !nnet3.rows<2>
  %x = nnet3.append %in, %next : (!nnet3.rows<2>, !nnet3.rows<2>) -> !nnet3.rows<4>
  %h = nnet3.component_node "h" @sigm(%x) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  nnet3.output_node "output", %h : !nnet3.rows<4>
}

nnet3.computation @run for @net {
  %in = nnet3.accept_input "input" : memref<4x2xf32>
  %m = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %left = nnet3.sub_matrix %m[0, 0] : memref<4x4xf32> to memref<4x2xf32, strided<[4, 1]>>
  %right = nnet3.sub_matrix %m[0, 2] : memref<4x4xf32> to memref<4x2xf32, strided<[4, 1], offset: 2>>
  nnet3.matrix_copy %in into %left : memref<4x2xf32> into memref<4x2xf32, strided<[4, 1]>>
  nnet3.copy_rows %in <0:1, 1:2> into %right alpha 5.000000e-01 : memref<4x2xf32> into memref<4x2xf32, strided<[4, 1], offset: 2>>
  nnet3.propagate @net::@sigm ins(%m : memref<4x4xf32>) outs(%m : memref<4x4xf32>)
  nnet3.provide_output "output", %m : memref<4x4xf32>
  nnet3.no_operation_marker
  %d = nnet3.accept_input "output" : memref<4x4xf32>
  %e = nnet3.alloc_matrix_undefined : memref<4x4xf32>
  nnet3.backprop @net::@sigm out_value(%m : memref<4x4xf32>) out_deriv(%d : memref<4x4xf32>) in_deriv(%e : memref<4x4xf32>)
  nnet3.dealloc_matrix %d : memref<4x4xf32>
}
