// RUN: nnet3-opt %s -split-input-file -verify-diagnostics --kernel-set-target=instruction-sets=avx512f --convert-nnet3-to-kernels
// RUN: nnet3-opt %s -split-input-file -verify-diagnostics --convert-nnet3-to-kernels=device=true
// RUN: nnet3-opt %s -split-input-file -verify-diagnostics --nnet3-hoist-constant-rows --nnet3-hoist-recurrent-affines --nnet3-hoist-shared-inputs --nnet3-order-sums --nnet3-split-sums \
// RUN:   --convert-nnet3-to-kernels=device=true

// Fused commands of components that have no code for what the command asks.

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 4}
  nnet3.rectified_linear @relu {dim = 4}
  nnet3.softmax @softmax {dim = 4}
  nnet3.lstm_nonlinearity @lstm {cell_dim = 4}
  nnet3.batch_norm @norm {dim = 4}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  // expected-error@+1 {{expects an affine component, but got nnet3.rectified_linear @net::@relu}}
  nnet3.fused_affine @net::@relu ins(%a : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias outs(%b : memref<3x4xf32>)
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 4}
  nnet3.rectified_linear @relu {dim = 4}
  nnet3.softmax @softmax {dim = 4}
  nnet3.lstm_nonlinearity @lstm {cell_dim = 4}
  nnet3.batch_norm @norm {dim = 4}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  // expected-error@+1 {{expects an affine component, but got nnet3.softmax @net::@softmax}}
  nnet3.fused_affine @net::@softmax ins(%a : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias outs(%b : memref<3x4xf32>)
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 4}
  nnet3.rectified_linear @relu {dim = 4}
  nnet3.softmax @softmax {dim = 4}
  nnet3.lstm_nonlinearity @lstm {cell_dim = 4}
  nnet3.batch_norm @norm {dim = 4}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  // expected-error@+1 {{expects an affine component, but got nnet3.lstm_nonlinearity @net::@lstm}}
  nnet3.fused_affine @net::@lstm ins(%a : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias outs(%b : memref<3x4xf32>)
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 4}
  nnet3.rectified_linear @relu {dim = 4}
  nnet3.softmax @softmax {dim = 4}
  nnet3.lstm_nonlinearity @lstm {cell_dim = 4}
  nnet3.batch_norm @norm {dim = 4}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  // expected-error@+1 {{refers to an undefined component @net::@other}}
  nnet3.fused_affine @net::@other ins(%a : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias outs(%b : memref<3x4xf32>)
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 4}
  nnet3.rectified_linear @relu {dim = 4}
  nnet3.softmax @softmax {dim = 4}
  nnet3.lstm_nonlinearity @lstm {cell_dim = 4}
  nnet3.batch_norm @norm {dim = 4}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  // expected-error@+1 {{expects columns of weights with 4 columns, but got 4 from 1 on}}
  nnet3.fused_affine @net::@affine ins(%a : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [1] bias outs(%b : memref<3x4xf32>)
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 4}
  nnet3.rectified_linear @relu {dim = 4}
  nnet3.softmax @softmax {dim = 4}
  nnet3.lstm_nonlinearity @lstm {cell_dim = 4}
  nnet3.batch_norm @norm {dim = 4}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  // expected-error@+1 {{expects columns of weights with 4 columns, but got 4 from 9223372036854775807 on}}
  nnet3.fused_affine @net::@affine ins(%a : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [9223372036854775807] bias outs(%b : memref<3x4xf32>)
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 4}
  nnet3.rectified_linear @relu {dim = 4}
  nnet3.softmax @softmax {dim = 4}
  nnet3.lstm_nonlinearity @lstm {cell_dim = 4}
  nnet3.batch_norm @norm {dim = 4}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  // expected-error@+1 {{expects elementwise components in its epilogue, but got @net::@softmax}}
  nnet3.fused_affine @net::@affine ins(%a : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias epilogue [@net::@relu, @net::@softmax] outs(%b : memref<3x4xf32>)
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 4}
  nnet3.rectified_linear @relu {dim = 4}
  nnet3.softmax @softmax {dim = 4}
  nnet3.lstm_nonlinearity @lstm {cell_dim = 4}
  nnet3.batch_norm @norm {dim = 4}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  // expected-error@+1 {{expects elementwise components in its epilogue, but got @net::@norm}}
  nnet3.fused_affine @net::@affine ins(%a : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias epilogue [@net::@norm] outs(%b : memref<3x4xf32>)
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 4}
  nnet3.rectified_linear @relu {dim = 4}
  nnet3.softmax @softmax {dim = 4}
  nnet3.lstm_nonlinearity @lstm {cell_dim = 4}
  nnet3.batch_norm @norm {dim = 4}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  // expected-error@+1 {{expects a folded component that scales and adds, but got @net::@relu}}
  nnet3.fused_affine @net::@affine ins(%a : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias folded @net::@relu outs(%b : memref<3x4xf32>)
}
