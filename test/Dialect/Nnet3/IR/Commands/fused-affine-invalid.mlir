// RUN: nnet3-opt --verify-diagnostics -split-input-file %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 8, output_dim = 4}
  nnet3.rectified_linear @relu {dim = 5}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<6x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  // expected-error@+1 {{expects row tables with 3 entries, but got 2}}
  nnet3.fused_affine @net::@affine ins(%a : memref<6x4xf32>) rows [#nnet3.row_table<0:1>] columns [0] outs(%b : memref<3x4xf32>)
  nnet3.provide_output "y", %b : memref<3x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 8, output_dim = 4}
  nnet3.rectified_linear @relu {dim = 5}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<6x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  // expected-error@+1 {{row table names row 6 of a matrix with 6 rows}}
  nnet3.fused_affine @net::@affine ins(%a : memref<6x4xf32>) rows [#nnet3.row_table<4:6>] columns [0] outs(%b : memref<3x4xf32>)
  nnet3.provide_output "y", %b : memref<3x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 8, output_dim = 4}
  nnet3.rectified_linear @relu {dim = 5}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<6x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  // expected-error@+1 {{expects row tables of one source}}
  nnet3.fused_affine @net::@affine ins(%a : memref<6x4xf32>) rows [#nnet3.row_table<0:1, 0 of 1>] columns [0] outs(%b : memref<3x4xf32>)
  nnet3.provide_output "y", %b : memref<3x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 8, output_dim = 4}
  nnet3.rectified_linear @relu {dim = 5}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<6x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  // expected-error@+1 {{expects columns from 0 on, but got -4}}
  nnet3.fused_affine @net::@affine ins(%a : memref<6x4xf32>) rows [#nnet3.row_table<0:2>] columns [-4] outs(%b : memref<3x4xf32>)
  nnet3.provide_output "y", %b : memref<3x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 8, output_dim = 4}
  nnet3.rectified_linear @relu {dim = 5}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<6x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  // expected-error@+1 {{expects a row table and a column for each of 1 inputs, but got 1 and 2}}
  nnet3.fused_affine @net::@affine ins(%a : memref<6x4xf32>) rows [#nnet3.row_table<0:2>] columns [0, 4] outs(%b : memref<3x4xf32>)
  nnet3.provide_output "y", %b : memref<3x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 8, output_dim = 4}
  nnet3.rectified_linear @relu {dim = 5}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<6x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  // expected-error@+1 {{expects matrices of 3x4 to be added, but got 6x4}}
  nnet3.fused_affine @net::@affine ins(%a : memref<6x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] init(%a : memref<6x4xf32>) outs(%b : memref<3x4xf32>)
  nnet3.provide_output "y", %b : memref<3x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 8, output_dim = 4}
  nnet3.rectified_linear @relu {dim = 5}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<6x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  %r = nnet3.alloc_matrix_zeroed : memref<1x4xf32>
  // expected-error@+1 {{expects matrices of 3x4 to be added, but got 1x4}}
  nnet3.fused_affine @net::@affine ins(%a : memref<6x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] residual(%r : memref<1x4xf32>) outs(%b : memref<3x4xf32>)
  nnet3.provide_output "y", %b : memref<3x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 8, output_dim = 4}
  nnet3.rectified_linear @relu {dim = 5}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<6x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  // expected-error@+1 {{refers to an undefined component @net::@none}}
  nnet3.fused_affine @net::@none ins(%a : memref<6x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] outs(%b : memref<3x4xf32>)
  nnet3.provide_output "y", %b : memref<3x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 8, output_dim = 4}
  nnet3.rectified_linear @relu {dim = 5}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<6x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  %d = nnet3.alloc_matrix_undefined : memref<3x5xf32>
  // expected-error@+1 {{expects an output of 4 columns, but got 5}}
  nnet3.fused_affine @net::@affine ins(%a : memref<6x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] outs(%d : memref<3x5xf32>)
  nnet3.provide_output "y", %b : memref<3x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 8, output_dim = 4}
  nnet3.rectified_linear @relu {dim = 5}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<6x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  // expected-error@+1 {{expects an epilogue of dim 4, but got 5}}
  nnet3.fused_affine @net::@affine ins(%a : memref<6x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] epilogue [@net::@relu] outs(%b : memref<3x4xf32>)
  nnet3.provide_output "y", %b : memref<3x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 8, output_dim = 4}
  nnet3.rectified_linear @relu {dim = 5}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<6x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  // expected-error@+1 {{with a folded component expects a bias and no init}}
  nnet3.fused_affine @net::@affine ins(%a : memref<6x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] folded @net::@norm outs(%b : memref<3x4xf32>)
  nnet3.provide_output "y", %b : memref<3x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 8, output_dim = 4}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<6x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  %r = nnet3.alloc_matrix_zeroed : memref<2x4xf32>
  // expected-error@+1 {{expects matrices of 3x4 to be added, but got 2x4}}
  nnet3.fused_affine @net::@affine ins(%a : memref<6x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] init(%r : memref<2x4xf32>) outs(%b : memref<3x4xf32>)
  nnet3.provide_output "y", %b : memref<3x4xf32>
}
