// Matrices and their variables.
// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-check-computation))' --verify-diagnostics -split-input-file %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  // expected-note@+1 {{freed here}}
  nnet3.dealloc_matrix %a : memref<4x4xf32>
  // expected-error@+1 {{accesses a matrix that is freed}}
  nnet3.provide_output "y", %a : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  // expected-note@+1 {{freed here}}
  %b = nnet3.move_matrix %a : memref<4x4xf32>
  nnet3.set_const %b, 0.0 : memref<4x4xf32>
  // expected-error@+1 {{matrix is freed already}}
  nnet3.dealloc_matrix %a : memref<4x4xf32>
  nnet3.provide_output "y", %b : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  // expected-error@+1 {{matrix is not used}}
  %a = nnet3.alloc_matrix_undefined : memref<4x4xf32>
  nnet3.dealloc_matrix %a : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  // expected-error@+1 {{matrix is not used}}
  %a = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  nnet3.set_const %a, 1.0 : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  // expected-note@+1 {{matrix is defined here}}
  %a = nnet3.alloc_matrix_undefined : memref<4x4xf32>
  // expected-error@+1 {{reads m0, which is undefined}}
  nnet3.provide_output "y", %a : memref<4x4xf32>
}

// -----

// What is added to has to be there.
nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  // expected-note@+1 {{matrix is defined here}}
  %b = nnet3.alloc_matrix_undefined : memref<4x4xf32>
  // expected-error@+1 {{reads m1, which is undefined}}
  nnet3.add_rows %a <0:3> into %b : memref<4x4xf32> into memref<4x4xf32>
  nnet3.provide_output "y", %b : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  // expected-note@+1 {{matrix is defined here}}
  %b = nnet3.alloc_matrix_undefined : memref<4x4xf32>
  %b1 = nnet3.sub_matrix %b[0, 0] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1]>>
  nnet3.copy_rows %a <0:1> into %b1 : memref<4x4xf32> into memref<2x4xf32, strided<[4, 1]>>
  // expected-error@+1 {{reads m1(2:3, :), which is undefined}}
  nnet3.provide_output "y", %b : memref<4x4xf32>
}

// -----

// Only storage is moved.
nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  // expected-warning@+1 {{input is not used}}
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  // expected-note@+1 {{matrix is defined here}}
  %b = nnet3.move_matrix %a : memref<4x4xf32>
  // expected-error@+1 {{reads m1, which is undefined}}
  nnet3.provide_output "y", %b : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  // expected-error@+1 {{no command accesses m1(2:3, :)}}
  %b = nnet3.alloc_matrix_undefined : memref<4x4xf32>
  %b1 = nnet3.sub_matrix %b[0, 0] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1]>>
  nnet3.copy_rows %a <0:1> into %b1 : memref<4x4xf32> into memref<2x4xf32, strided<[4, 1]>>
  nnet3.copy_rows %b1 <0:1, 0:1> into %a : memref<2x4xf32, strided<[4, 1]>> into memref<4x4xf32>
  nnet3.provide_output "y", %a : memref<4x4xf32>
}

// -----

// The last fifth of the rows may be unused in some columns, but no more.
nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  // expected-error@+1 {{no command accesses m1(6:6, 4:7)}}
  %b = nnet3.alloc_matrix_undefined : memref<9x8xf32>
  %b1 = nnet3.sub_matrix %b[0, 0] : memref<9x8xf32> to memref<9x4xf32, strided<[8, 1]>>
  %b2 = nnet3.sub_matrix %b[0, 4] : memref<9x8xf32> to memref<6x4xf32, strided<[8, 1], offset: 4>>
  %b3 = nnet3.sub_matrix %b[7, 4] : memref<9x8xf32> to memref<2x4xf32, strided<[8, 1], offset: 60>>
  nnet3.set_const %b1, 1.0 : memref<9x4xf32, strided<[8, 1]>>
  nnet3.set_const %b2, 1.0 : memref<6x4xf32, strided<[8, 1], offset: 4>>
  nnet3.copy_rows %b1 <0:3> into %a : memref<9x4xf32, strided<[8, 1]>> into memref<4x4xf32>
  nnet3.provide_output "y", %a : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  // expected-error@+1 {{debug information has 3 Indexes for 4 rows}}
  %a = nnet3.accept_input "x" {nnet3.node = "x", nnet3.indexes = #nnet3.indexes<t = 0:2>} : memref<4x4xf32>
  nnet3.provide_output "y", %a : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  // expected-error@+1 {{debug information has n = -1}}
  %a = nnet3.accept_input "x" {nnet3.node = "x", nnet3.indexes = #nnet3.indexes<n = -1:2>} : memref<4x4xf32>
  nnet3.provide_output "y", %a : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  // expected-error@+1 {{debug information has n = -2}}
  %a = nnet3.accept_input "x" {nnet3.node = "x", nnet3.indexes = #nnet3.indexes<[(0, 0), (-2, 5), (1, 7), (0, 3)]>} : memref<4x4xf32>
  nnet3.provide_output "y", %a : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  // expected-error@+1 {{expects debug information to be the name of a node and Indexes}}
  %a = nnet3.accept_input "x" {nnet3.indexes = #nnet3.indexes<t = 0:3>} : memref<4x4xf32>
  nnet3.provide_output "y", %a : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  // expected-note@+1 {{matrix is defined here}}
  %b = nnet3.alloc_matrix_undefined : memref<4x4xf32>
  // The last round reads what no round has written.
  nnet3.loop %round to 3 {
    %from = nnet3.moving_sub_matrix %b[1 + 1 * %round, 0] : memref<4x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    %to = nnet3.moving_sub_matrix %a[1 + 1 * %round, 0] : memref<4x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    nnet3.set_const %from, 0.0 : memref<1x4xf32, strided<[4, 1], offset: ?>>
    nnet3.matrix_copy %from into %to : memref<1x4xf32, strided<[4, 1], offset: ?>> into memref<1x4xf32, strided<[4, 1], offset: ?>>
  }
  nnet3.loop %round to 4 {
    %from = nnet3.moving_sub_matrix %b[3 + -1 * %round, 0] : memref<4x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    %to = nnet3.moving_sub_matrix %a[3 + -1 * %round, 0] : memref<4x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    // expected-error@+1 {{reads m1(0:0, :), which is undefined}}
    nnet3.matrix_copy %from into %to : memref<1x4xf32, strided<[4, 1], offset: ?>> into memref<1x4xf32, strided<[4, 1], offset: ?>>
  }
  nnet3.dealloc_matrix %b : memref<4x4xf32>
  nnet3.provide_output "y", %a : memref<4x4xf32>
}
