// A computation that is right, with a memo, work in place, matrices in parts,
// compression, rows that an extension has added, and an input for nothing.
// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-check-computation))' --verify-diagnostics -split-input-file %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 4}
  nnet3.rectified_linear @relu {dim = 4}
  nnet3.batch_norm @norm {dim = 4}
}
nnet3.computation @c for @net need_model_derivative {
  %a = nnet3.accept_input "x" {nnet3.node = "x", nnet3.indexes = #nnet3.indexes<t = 0:3>} : memref<4x4xf32>
  // expected-warning@+1 {{input is not used}}
  %unused = nnet3.accept_input "x" : memref<4x4xf32>
  nnet3.dealloc_matrix %unused : memref<4x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<4x4xf32>
  nnet3.propagate @net::@affine ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  nnet3.propagate @net::@relu ins(%b : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  %c = nnet3.alloc_matrix_undefined : memref<4x4xf32>
  %memo = nnet3.propagate @net::@norm ins(%b : memref<4x4xf32>) outs(%c : memref<4x4xf32>) -> !nnet3.memo
  nnet3.matrix_copy %c into %c alpha 0.5 : memref<4x4xf32> into memref<4x4xf32>
  nnet3.provide_output "y", %c : memref<4x4xf32>
  %small = nnet3.compress_matrix %b range 0.0 : memref<4x4xf32> -> !nnet3.compressed<4x4xui8>
  nnet3.no_operation_marker
  %d = nnet3.accept_input "y" : memref<4x4xf32>
  nnet3.backprop @net::@norm out_value(%c : memref<4x4xf32>) out_deriv(%d : memref<4x4xf32>) in_deriv(%d : memref<4x4xf32>) memo(%memo : !nnet3.memo)
  %b2 = nnet3.decompress_matrix %small : !nnet3.compressed<4x4xui8> -> memref<4x4xf32>
  %e = nnet3.alloc_matrix_undefined : memref<4x4xf32>
  nnet3.backprop @net::@relu out_value(%b2 : memref<4x4xf32>) out_deriv(%d : memref<4x4xf32>) in_deriv(%e : memref<4x4xf32>)
  // The memory of the signs may be used again.
  nnet3.matrix_copy %e into %b2 : memref<4x4xf32> into memref<4x4xf32>
  nnet3.backprop @net::@affine in_value(%a : memref<4x4xf32>) out_deriv(%b2 : memref<4x4xf32>) update
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @extended for @net {
  %a = nnet3.accept_input "x" : memref<10x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<10x8xf32>
  %b1 = nnet3.sub_matrix %b[0, 0] : memref<10x8xf32> to memref<10x4xf32, strided<[8, 1]>>
  %b2 = nnet3.sub_matrix %b[0, 4] : memref<10x8xf32> to memref<8x4xf32, strided<[8, 1], offset: 4>>
  nnet3.matrix_copy %a into %b1 : memref<10x4xf32> into memref<10x4xf32, strided<[8, 1]>>
  nnet3.copy_rows %a <0:7> into %b2 : memref<10x4xf32> into memref<8x4xf32, strided<[8, 1], offset: 4>>
  // A source may be a part of the matrix that is written.
  nnet3.add_rows %b1 <0:7> into %b2 : memref<10x4xf32, strided<[8, 1]>> into memref<8x4xf32, strided<[8, 1], offset: 4>>
  %c = nnet3.alloc_matrix_undefined : memref<8x4xf32>
  nnet3.matrix_copy %b2 into %c : memref<8x4xf32, strided<[8, 1], offset: 4>> into memref<8x4xf32>
  nnet3.provide_output "y", %c : memref<8x4xf32>
}

// -----

// A memo that the statistics alone take.
nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.batch_norm @norm {dim = 4}
}
nnet3.computation @statistics for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<4x4xf32>
  %memo = nnet3.propagate @net::@norm ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>) -> !nnet3.memo
  nnet3.store_stats @net::@norm ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>) memo(%memo : !nnet3.memo)
  nnet3.dealloc_matrix %a : memref<4x4xf32>
  nnet3.provide_output "y", %b : memref<4x4xf32>
}
