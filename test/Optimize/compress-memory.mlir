// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-compress-memory,nnet3-check-computation))' %s | FileCheck %s
// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-compress-memory{level=2},nnet3-check-computation))' %s | FileCheck %s --check-prefix=MORE
// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-compress-memory{level=0}))' %s | FileCheck %s --check-prefix=OFF
// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3-optimize{memory-compression-level=2 optimize=false})' %s | FileCheck %s --check-prefix=MORE
// OFF-NOT: compress

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 4}
  nnet3.rectified_linear @relu {dim = 4}
  nnet3.tanh @tanh {dim = 4}
}

// Behind its last use forward, the rectifier's output is kept as signs until
// the backward pass. The input is needed as it is, and the output stays.
// CHECK-LABEL: nnet3.computation @train
// MORE-LABEL: nnet3.computation @train
nnet3.computation @train for @net need_model_derivative {
  // CHECK: %[[X:.*]] = nnet3.accept_input "x"
  // CHECK-NOT: compress
  // MORE: %[[X:.*]] = nnet3.accept_input "x"
  %x = nnet3.accept_input "x" : memref<8x4xf32>
  %h = nnet3.alloc_matrix_undefined : memref<8x4xf32>
  // MORE: propagate @net::@affine ins(%[[X]]
  // MORE-NEXT: %[[XC:.*]] = nnet3.compress_matrix %[[X]] range 1.000000e+01 truncate : memref<8x4xf32> -> !nnet3.compressed<8x4xsi16>
  nnet3.propagate @net::@affine ins(%x : memref<8x4xf32>) outs(%h : memref<8x4xf32>)
  // CHECK: propagate @net::@relu ins(%[[H:[0-9]+]]
  nnet3.propagate @net::@relu ins(%h : memref<8x4xf32>) outs(%h : memref<8x4xf32>)
  %o = nnet3.alloc_matrix_undefined : memref<8x4xf32>
  // CHECK: propagate @net::@affine ins(%[[H]]
  // CHECK-NEXT: %[[C:.*]] = nnet3.compress_matrix %[[H]] range 0.000000e+00 truncate : memref<8x4xf32> -> !nnet3.compressed<8x4xui8>
  nnet3.propagate @net::@affine ins(%h : memref<8x4xf32>) outs(%o : memref<8x4xf32>)
  nnet3.propagate @net::@tanh ins(%o : memref<8x4xf32>) outs(%o : memref<8x4xf32>)
  // CHECK: provide_output "y", %[[O:[0-9]+]]
  nnet3.provide_output "y", %o : memref<8x4xf32>
  // CHECK: no_operation_marker
  nnet3.no_operation_marker
  %d = nnet3.accept_input "y" : memref<8x4xf32>
  %e = nnet3.alloc_matrix_undefined : memref<8x4xf32>
  %f = nnet3.alloc_matrix_undefined : memref<8x4xf32>
  // CHECK: backprop @net::@tanh out_value(%[[O]]
  nnet3.backprop @net::@tanh out_value(%o : memref<8x4xf32>) out_deriv(%d : memref<8x4xf32>) in_deriv(%e : memref<8x4xf32>)
  // CHECK: %[[D:.*]] = nnet3.decompress_matrix %[[C]] : !nnet3.compressed<8x4xui8> -> memref<8x4xf32>
  // CHECK-NEXT: backprop @net::@relu out_value(%[[D]]
  nnet3.backprop @net::@relu out_value(%h : memref<8x4xf32>) out_deriv(%e : memref<8x4xf32>) in_deriv(%f : memref<8x4xf32>)
  // CHECK: dealloc_matrix %[[D]]
  nnet3.dealloc_matrix %h : memref<8x4xf32>
  // MORE: %[[XD:.*]] = nnet3.decompress_matrix %[[XC]]
  // MORE-NEXT: backprop @net::@affine in_value(%[[XD]]
  nnet3.backprop @net::@affine in_value(%x : memref<8x4xf32>) out_deriv(%f : memref<8x4xf32>) update
}

// Views of a matrix become views of the decompressed one. What a rectifier is
// not the last to read keeps its values.
// CHECK-LABEL: nnet3.computation @views
// CHECK-NOT: compress
// MORE-LABEL: nnet3.computation @views
nnet3.computation @views for @net need_model_derivative {
  // MORE: %[[H:.*]] = nnet3.accept_input "x"
  // MORE-NEXT: %[[H1:.*]] = nnet3.sub_matrix %[[H]][0, 0]
  %h = nnet3.accept_input "x" : memref<8x4xf32>
  %h1 = nnet3.sub_matrix %h[0, 0] : memref<8x4xf32> to memref<4x4xf32, strided<[4, 1]>>
  // MORE: propagate @net::@relu ins(%[[H1]]
  // MORE-NEXT: %[[C:.*]] = nnet3.compress_matrix %[[H]]
  nnet3.propagate @net::@relu ins(%h1 : memref<4x4xf32, strided<[4, 1]>>) outs(%h1 : memref<4x4xf32, strided<[4, 1]>>)
  nnet3.no_operation_marker
  // MORE: %[[D:.*]] = nnet3.decompress_matrix %[[C]]
  // MORE-NEXT: %[[D1:.*]] = nnet3.sub_matrix %[[D]][0, 0]
  %d = nnet3.accept_input "y" : memref<4x4xf32>
  // MORE: backprop @net::@affine in_value(%[[D1]]
  nnet3.backprop @net::@affine in_value(%h1 : memref<4x4xf32, strided<[4, 1]>>) out_deriv(%d : memref<4x4xf32>) update
  %e = nnet3.alloc_matrix_undefined : memref<4x4xf32>
  // MORE: backprop @net::@relu out_value(%[[D1]]
  nnet3.backprop @net::@relu out_value(%h1 : memref<4x4xf32, strided<[4, 1]>>) out_deriv(%d : memref<4x4xf32>) in_deriv(%e : memref<4x4xf32>)
  // MORE: dealloc_matrix %[[D]]
  nnet3.dealloc_matrix %h : memref<8x4xf32>
}

// Without a marker there is no telling what waits.
// MORE-LABEL: nnet3.computation @forward
// MORE-NOT: compress
nnet3.computation @forward for @net {
  %x = nnet3.accept_input "x" : memref<8x4xf32>
  nnet3.propagate @net::@relu ins(%x : memref<8x4xf32>) outs(%x : memref<8x4xf32>)
  nnet3.provide_output "y", %x : memref<8x4xf32>
}
