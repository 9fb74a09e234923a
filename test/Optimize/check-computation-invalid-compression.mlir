// Compressed matrices.
// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-check-computation))' --verify-diagnostics -split-input-file %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  // expected-error@+1 {{expects a range of at most 1000, but got 1.001000e+03}}
  %c = nnet3.compress_matrix %a range 1001.0 : memref<4x4xf32> -> !nnet3.compressed<4x4xui8>
  nnet3.no_operation_marker
  %b = nnet3.decompress_matrix %c : !nnet3.compressed<4x4xui8> -> memref<4x4xf32>
  nnet3.provide_output "y", %b : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  // expected-error@+1 {{expects elements of type ui8 for a range of 0, but got 'si8'}}
  %c = nnet3.compress_matrix %a range 0.0 : memref<4x4xf32> -> !nnet3.compressed<4x4xsi8>
  nnet3.no_operation_marker
  %b = nnet3.decompress_matrix %c : !nnet3.compressed<4x4xsi8> -> memref<4x4xf32>
  nnet3.provide_output "y", %b : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  // expected-error@+1 {{matrix is not decompressed}}
  %c = nnet3.compress_matrix %a range 1.0 : memref<4x4xf32> -> !nnet3.compressed<4x4xui8>
  nnet3.no_operation_marker
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %c = nnet3.compress_matrix %a range 1.0 : memref<4x4xf32> -> !nnet3.compressed<4x4xui8>
  nnet3.no_operation_marker
  // expected-note@+1 {{first decompressed here}}
  %b = nnet3.decompress_matrix %c : !nnet3.compressed<4x4xui8> -> memref<4x4xf32>
  nnet3.provide_output "y", %b : memref<4x4xf32>
  // expected-error@+1 {{matrix is decompressed twice}}
  %d = nnet3.decompress_matrix %c : !nnet3.compressed<4x4xui8> -> memref<4x4xf32>
  nnet3.provide_output "y", %d : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  // expected-error@+1 {{expects a computation with one marker}}
  %c = nnet3.compress_matrix %a range 1.0 : memref<4x4xf32> -> !nnet3.compressed<4x4xui8>
  %b = nnet3.decompress_matrix %c : !nnet3.compressed<4x4xui8> -> memref<4x4xf32>
  nnet3.provide_output "y", %b : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  // expected-note@+1 {{marker is here}}
  nnet3.no_operation_marker
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  // expected-error@+1 {{expects to be before the marker}}
  %c = nnet3.compress_matrix %a range 1.0 : memref<4x4xf32> -> !nnet3.compressed<4x4xui8>
  %b = nnet3.decompress_matrix %c : !nnet3.compressed<4x4xui8> -> memref<4x4xf32>
  nnet3.provide_output "y", %b : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %c = nnet3.compress_matrix %a range 1.0 : memref<4x4xf32> -> !nnet3.compressed<4x4xui8>
  // expected-error@+1 {{expects to be after the marker}}
  %b = nnet3.decompress_matrix %c : !nnet3.compressed<4x4xui8> -> memref<4x4xf32>
  nnet3.provide_output "y", %b : memref<4x4xf32>
  // expected-note@+1 {{marker is here}}
  nnet3.no_operation_marker
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.softmax @softmax {dim = 4}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  // expected-error@+1 {{keeps signs only: expects one use, by the backprop of a rectifier}}
  %c = nnet3.compress_matrix %a range 0.0 : memref<4x4xf32> -> !nnet3.compressed<4x4xui8>
  nnet3.no_operation_marker
  %d = nnet3.accept_input "y" : memref<4x4xf32>
  // expected-note@+1 {{decompressed here}}
  %b = nnet3.decompress_matrix %c : !nnet3.compressed<4x4xui8> -> memref<4x4xf32>
  nnet3.backprop @net::@softmax out_value(%b : memref<4x4xf32>) out_deriv(%d : memref<4x4xf32>) in_deriv(%d : memref<4x4xf32>)
  nnet3.provide_output "x", %d : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.rectified_linear @relu {dim = 4}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  // expected-error@+1 {{keeps signs only: expects one use, by the backprop of a rectifier}}
  %c = nnet3.compress_matrix %a range 0.0 : memref<4x4xf32> -> !nnet3.compressed<4x4xui8>
  nnet3.no_operation_marker
  %d = nnet3.accept_input "y" : memref<4x4xf32>
  %e = nnet3.alloc_matrix_undefined : memref<4x4xf32>
  // expected-note@+1 {{decompressed here}}
  %b = nnet3.decompress_matrix %c : !nnet3.compressed<4x4xui8> -> memref<4x4xf32>
  nnet3.backprop @net::@relu out_value(%b : memref<4x4xf32>) out_deriv(%d : memref<4x4xf32>) in_deriv(%e : memref<4x4xf32>)
  nnet3.matrix_add %b into %e : memref<4x4xf32> into memref<4x4xf32>
  nnet3.provide_output "x", %e : memref<4x4xf32>
}
