// Component commands and memos.
// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-check-computation))' --verify-diagnostics -split-input-file %s

// Two views of the same rows.
nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 4}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %a1 = nnet3.sub_matrix %a[0, 0] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1]>>
  %a2 = nnet3.sub_matrix %a[0, 0] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1]>>
  // expected-error@+1 {{component does not run in place}}
  nnet3.propagate @net::@affine ins(%a1 : memref<2x4xf32, strided<[4, 1]>>) outs(%a2 : memref<2x4xf32, strided<[4, 1]>>)
  nnet3.provide_output "y", %a : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.rectified_linear @relu {dim = 4}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %a1 = nnet3.sub_matrix %a[0, 0] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1]>>
  %a2 = nnet3.sub_matrix %a[1, 0] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 4>>
  // expected-error@+1 {{expects an input and an output that are the same or do not overlap}}
  nnet3.propagate @net::@relu ins(%a1 : memref<2x4xf32, strided<[4, 1]>>) outs(%a2 : memref<2x4xf32, strided<[4, 1], offset: 4>>)
  nnet3.provide_output "y", %a : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.rectified_linear @relu {dim = 4}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  // expected-note@+1 {{marker is here}}
  nnet3.no_operation_marker
  // expected-error@+1 {{expects to be before the marker}}
  nnet3.propagate @net::@relu ins(%a : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  nnet3.provide_output "y", %a : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 4}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %d = nnet3.accept_input "y" : memref<4x4xf32>
  // expected-error@+1 {{expects to be after the marker}}
  nnet3.backprop @net::@affine in_value(%a : memref<4x4xf32>) out_deriv(%d : memref<4x4xf32>) update
  // expected-note@+1 {{marker is here}}
  nnet3.no_operation_marker
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 4}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  nnet3.no_operation_marker
  %d = nnet3.accept_input "y" : memref<4x4xf32>
  %d1 = nnet3.sub_matrix %d[0, 0] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1]>>
  %e = nnet3.alloc_matrix_zeroed : memref<2x4xf32>
  // expected-error@+1 {{expects as many rows of input derivatives as of its values, but got 2 and 4}}
  nnet3.backprop @net::@affine in_value(%a : memref<4x4xf32>) out_deriv(%d1 : memref<2x4xf32, strided<[4, 1]>>) in_deriv(%e : memref<2x4xf32>) update
  nnet3.provide_output "x", %e : memref<2x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.sigmoid @sigmoid {dim = 4}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  nnet3.no_operation_marker
  %d = nnet3.accept_input "y" : memref<2x4xf32>
  %e = nnet3.alloc_matrix_undefined : memref<2x4xf32>
  // expected-error@+1 {{expects as many rows of output derivatives as of its values, but got 2 and 4}}
  nnet3.backprop @net::@sigmoid out_value(%a : memref<4x4xf32>) out_deriv(%d : memref<2x4xf32>) in_deriv(%e : memref<2x4xf32>)
  nnet3.provide_output "x", %e : memref<2x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 4}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %a1 = nnet3.sub_matrix %a[0, 0] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1]>>
  nnet3.no_operation_marker
  %d = nnet3.accept_input "y" : memref<4x4xf32>
  %d1 = nnet3.sub_matrix %d[0, 0] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1]>>
  %d2 = nnet3.sub_matrix %d[0, 0] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1]>>
  // expected-error@+1 {{component does not run in place}}
  nnet3.backprop @net::@affine in_value(%a1 : memref<2x4xf32, strided<[4, 1]>>) out_deriv(%d1 : memref<2x4xf32, strided<[4, 1]>>) in_deriv(%d2 : memref<2x4xf32, strided<[4, 1]>>)
  nnet3.provide_output "x", %d : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.batch_norm @norm {dim = 4}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  // expected-error@+1 {{memo is not consumed}}
  %memo = nnet3.propagate @net::@norm ins(%a : memref<4x4xf32>) outs(%a : memref<4x4xf32>) -> !nnet3.memo
  nnet3.provide_output "y", %a : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.batch_norm @norm {dim = 4}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  nnet3.propagate @net::@norm ins(%a : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  nnet3.provide_output "y", %a : memref<4x4xf32>
  nnet3.no_operation_marker
  %d = nnet3.accept_input "y" : memref<4x4xf32>
  // expected-error@+1 {{component needs its memo}}
  nnet3.backprop @net::@norm out_value(%a : memref<4x4xf32>) out_deriv(%d : memref<4x4xf32>) in_deriv(%d : memref<4x4xf32>)
  nnet3.provide_output "x", %d : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.batch_norm @norm {dim = 4}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %memo = nnet3.propagate @net::@norm ins(%a : memref<4x4xf32>) outs(%a : memref<4x4xf32>) -> !nnet3.memo
  nnet3.provide_output "y", %a : memref<4x4xf32>
  nnet3.no_operation_marker
  %d = nnet3.accept_input "y" : memref<4x4xf32>
  // expected-note@+1 {{first consumed here}}
  nnet3.backprop @net::@norm out_value(%a : memref<4x4xf32>) out_deriv(%d : memref<4x4xf32>) in_deriv(%d : memref<4x4xf32>) memo(%memo : !nnet3.memo)
  // expected-error@+1 {{memo is consumed twice}}
  nnet3.backprop @net::@norm out_value(%a : memref<4x4xf32>) out_deriv(%d : memref<4x4xf32>) in_deriv(%d : memref<4x4xf32>) memo(%memo : !nnet3.memo)
  nnet3.provide_output "x", %d : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.batch_norm @norm {dim = 4}
  nnet3.batch_norm @other {dim = 4}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  // expected-note@+1 {{produced here}}
  %memo = nnet3.propagate @net::@norm ins(%a : memref<4x4xf32>) outs(%a : memref<4x4xf32>) -> !nnet3.memo
  nnet3.provide_output "y", %a : memref<4x4xf32>
  nnet3.no_operation_marker
  %d = nnet3.accept_input "y" : memref<4x4xf32>
  // expected-error@+1 {{expects a memo of @net::@other, but got one of @net::@norm}}
  nnet3.backprop @net::@other out_value(%a : memref<4x4xf32>) out_deriv(%d : memref<4x4xf32>) in_deriv(%d : memref<4x4xf32>) memo(%memo : !nnet3.memo)
  nnet3.provide_output "x", %d : memref<4x4xf32>
}
