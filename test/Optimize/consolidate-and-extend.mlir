// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-consolidate-model-update))' %s | FileCheck %s --check-prefix=ONCE
// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-extend-matrices))' %s | FileCheck %s --check-prefix=EXTEND

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 3}
  nnet3.tdnn @tdnn {input_dim = 4, output_dim = 3, time_offsets = array<i64: 0>}
  nnet3.no_op @copy {dim = 4}
}

// Two updates become one, with the rows in the order of the commands. The first
// command gives no input derivative, so that nothing is left of it.
// ONCE-LABEL: nnet3.computation @updates
nnet3.computation @updates for @net need_model_derivative {
  // ONCE-DAG: alloc_matrix_zeroed : memref<3x4xf32>
  // ONCE-DAG: alloc_matrix_zeroed : memref<3x3xf32>
  %v1 = nnet3.alloc_matrix_zeroed : memref<1x4xf32>
  %v2 = nnet3.alloc_matrix_zeroed : memref<2x4xf32>
  %d1 = nnet3.alloc_matrix_zeroed : memref<1x3xf32>
  %d2 = nnet3.alloc_matrix_zeroed : memref<2x3xf32>
  %e = nnet3.alloc_matrix_zeroed : memref<2x4xf32>
  nnet3.no_operation_marker
  // ONCE: sub_matrix %{{.*}}[0, 0] : memref<3x4xf32> to memref<1x4xf32
  // ONCE: matrix_copy
  // ONCE-NOT: backprop
  // ONCE: sub_matrix %{{.*}}[1, 0] : memref<3x4xf32> to memref<2x4xf32
  // ONCE: backprop @net::@affine in_value(%{{.*}} : memref<2x4xf32>) out_deriv(%{{.*}} : memref<2x3xf32>) in_deriv
  // ONCE-NEXT: backprop @net::@affine in_value(%{{.*}} : memref<3x4xf32>) out_deriv(%{{.*}} : memref<3x3xf32>) update
  nnet3.backprop @net::@affine in_value(%v1 : memref<1x4xf32>) out_deriv(%d1 : memref<1x3xf32>) update
  nnet3.backprop @net::@affine in_value(%v2 : memref<2x4xf32>) out_deriv(%d2 : memref<2x3xf32>) in_deriv(%e : memref<2x4xf32>) update
}

// One update, or updates of a component that is not simple, stay.
// ONCE-LABEL: nnet3.computation @few
nnet3.computation @few for @net need_model_derivative {
  %v = nnet3.alloc_matrix_zeroed : memref<2x4xf32>
  %d = nnet3.alloc_matrix_zeroed : memref<2x3xf32>
  // ONCE: backprop @net::@affine {{.*}} update
  nnet3.backprop @net::@affine in_value(%v : memref<2x4xf32>) out_deriv(%d : memref<2x3xf32>) update
  // ONCE: backprop @net::@tdnn {{.*}} update
  // ONCE: backprop @net::@tdnn {{.*}} update
  nnet3.backprop @net::@tdnn in_value(%v : memref<2x4xf32>) out_deriv(%d : memref<2x3xf32>) precomputed {row_offsets = array<i64: 0>, row_stride = 1 : i64} update
  nnet3.backprop @net::@tdnn in_value(%v : memref<2x4xf32>) out_deriv(%d : memref<2x3xf32>) precomputed {row_offsets = array<i64: 0>, row_stride = 1 : i64} update
}

// Eight of ten rows: the destination gets ten.
// EXTEND-LABEL: nnet3.computation @enough
nnet3.computation @enough for @net {
  %x = nnet3.accept_input "x" : memref<10x4xf32>
  %a = nnet3.alloc_matrix_zeroed : memref<10x4xf32>
  // EXTEND: alloc_matrix_zeroed {nnet3.indexes = #nnet3.indexes<{{.*}}>} : memref<10x8xf32>
  %d = nnet3.alloc_matrix_zeroed {nnet3.indexes = #nnet3.indexes<t = 0:7>} : memref<8x8xf32>
  nnet3.propagate @net::@copy ins(%x : memref<10x4xf32>) outs(%a : memref<10x4xf32>)
  %a1 = nnet3.sub_matrix %a[0, 0] : memref<10x4xf32> to memref<8x4xf32, strided<[4, 1]>>
  %d1 = nnet3.sub_matrix %d[0, 0] : memref<8x8xf32> to memref<8x4xf32, strided<[8, 1]>>
  // EXTEND: matrix_copy %{{.*}} into %{{.*}} : memref<10x4xf32> into memref<10x4xf32, strided<[8, 1]>>
  nnet3.matrix_copy %a1 into %d1 : memref<8x4xf32, strided<[4, 1]>> into memref<8x4xf32, strided<[8, 1]>>
}

// Seven of nine rows are too few; an input cannot be a part of a matrix, so
// nothing would be gained.
// EXTEND-LABEL: nnet3.computation @not_enough
nnet3.computation @not_enough for @net {
  %x = nnet3.accept_input "x" : memref<10x4xf32>
  %a = nnet3.alloc_matrix_zeroed : memref<9x4xf32>
  // EXTEND: memref<7x8xf32>
  %d = nnet3.alloc_matrix_zeroed : memref<7x8xf32>
  // EXTEND: memref<9x8xf32>
  %e = nnet3.alloc_matrix_zeroed : memref<9x8xf32>
  %a1 = nnet3.sub_matrix %a[0, 0] : memref<9x4xf32> to memref<7x4xf32, strided<[4, 1]>>
  %d1 = nnet3.sub_matrix %d[0, 0] : memref<7x8xf32> to memref<7x4xf32, strided<[8, 1]>>
  nnet3.matrix_copy %a1 into %d1 : memref<7x4xf32, strided<[4, 1]>> into memref<7x4xf32, strided<[8, 1]>>
  %x1 = nnet3.sub_matrix %x[0, 0] : memref<10x4xf32> to memref<9x4xf32, strided<[4, 1]>>
  %e1 = nnet3.sub_matrix %e[0, 0] : memref<9x8xf32> to memref<9x4xf32, strided<[8, 1]>>
  nnet3.matrix_copy %x1 into %e1 : memref<9x4xf32, strided<[4, 1]>> into memref<9x4xf32, strided<[8, 1]>>
}

// All of a matrix can be an input, once both have as many rows.
// EXTEND-LABEL: nnet3.computation @input
nnet3.computation @input for @net {
  %x = nnet3.accept_input "x" : memref<10x4xf32>
  // EXTEND: alloc_matrix_zeroed : memref<10x4xf32>
  %e = nnet3.alloc_matrix_zeroed : memref<9x4xf32>
  %x1 = nnet3.sub_matrix %x[0, 0] : memref<10x4xf32> to memref<9x4xf32, strided<[4, 1]>>
  // EXTEND: matrix_copy %{{.*}} into %{{.*}} : memref<10x4xf32> into memref<10x4xf32>
  nnet3.matrix_copy %x1 into %e : memref<9x4xf32, strided<[4, 1]>> into memref<9x4xf32>
}
