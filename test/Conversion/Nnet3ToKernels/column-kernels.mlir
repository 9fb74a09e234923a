// RUN: nnet3-opt --kernel-set-target=instruction-sets=neon --convert-nnet3-to-kernels --kernel-outline --convert-kernel-to-vector %s | FileCheck %s
// RUN: nnet3-opt --convert-nnet3-to-kernels=device=true --kernel-infer-alignment --kernel-fuse-maps --kernel-outline --convert-kernel-to-threads %s | FileCheck %s --check-prefix=DEVICE

// Components that move columns, and large groups and pools of them.
nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<264>
  nnet3.output_node "y", %x : !nnet3.rows<264>
  nnet3.permute @blocks {column_map = array<i64: 6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5>}
  nnet3.permute @columns {column_map = array<i64: 5, 0, 4, 1, 3, 2>}
  nnet3.sum_group @small {sizes = array<i64: 1, 2, 3>}
  nnet3.sum_group @large {sizes = array<i64: 60, 1, 6>}
  nnet3.pnorm @pnorm {input_dim = 132, output_dim = 2}
  nnet3.maxpooling @pool {input_x_dim = 11, input_y_dim = 6, input_z_dim = 4, pool_x_size = 11, pool_x_step = 1, pool_y_size = 6, pool_y_step = 1, pool_z_size = 1, pool_z_step = 1}
}

// CHECK: calls []
// CHECK-LABEL: func.func @all
// CHECK: call @[[BLOCKS:map_rows_[0-9]+]]
// CHECK: call @[[COLUMNS:map_rows_[0-9]+]]
// CHECK: call @[[SMALL:map_rows_[0-9]+]]
// CHECK: call @[[LARGE:map_rows_[0-9]+]]
// CHECK: call @[[PNORM:map_rows_[0-9]+]]
// CHECK: call @[[POOL:map_rows_[0-9]+]]
nnet3.computation @all for @net {
  %a = nnet3.accept_input "x" : memref<2x264xf32>
  %i0 = nnet3.alloc_matrix_zeroed : memref<2x12xf32>
  %o0 = nnet3.alloc_matrix_undefined : memref<2x12xf32>
  nnet3.propagate @net::@blocks ins(%i0 : memref<2x12xf32>) outs(%o0 : memref<2x12xf32>)
  nnet3.dealloc_matrix %i0 : memref<2x12xf32>
  nnet3.dealloc_matrix %o0 : memref<2x12xf32>
  %i1 = nnet3.alloc_matrix_zeroed : memref<2x6xf32>
  %o1 = nnet3.alloc_matrix_undefined : memref<2x6xf32>
  nnet3.propagate @net::@columns ins(%i1 : memref<2x6xf32>) outs(%o1 : memref<2x6xf32>)
  nnet3.dealloc_matrix %i1 : memref<2x6xf32>
  nnet3.dealloc_matrix %o1 : memref<2x6xf32>
  %i2 = nnet3.alloc_matrix_zeroed : memref<2x6xf32>
  %o2 = nnet3.alloc_matrix_undefined : memref<2x3xf32>
  nnet3.propagate @net::@small ins(%i2 : memref<2x6xf32>) outs(%o2 : memref<2x3xf32>)
  nnet3.dealloc_matrix %i2 : memref<2x6xf32>
  nnet3.dealloc_matrix %o2 : memref<2x3xf32>
  %i3 = nnet3.alloc_matrix_zeroed : memref<2x67xf32>
  %o3 = nnet3.alloc_matrix_undefined : memref<2x3xf32>
  nnet3.propagate @net::@large ins(%i3 : memref<2x67xf32>) outs(%o3 : memref<2x3xf32>)
  nnet3.dealloc_matrix %i3 : memref<2x67xf32>
  nnet3.dealloc_matrix %o3 : memref<2x3xf32>
  %i4 = nnet3.alloc_matrix_zeroed : memref<2x132xf32>
  %o4 = nnet3.alloc_matrix_undefined : memref<2x2xf32>
  nnet3.propagate @net::@pnorm ins(%i4 : memref<2x132xf32>) outs(%o4 : memref<2x2xf32>)
  nnet3.dealloc_matrix %i4 : memref<2x132xf32>
  nnet3.dealloc_matrix %o4 : memref<2x2xf32>
  %o5 = nnet3.alloc_matrix_undefined : memref<2x4xf32>
  nnet3.propagate @net::@pool ins(%a : memref<2x264xf32>) outs(%o5 : memref<2x4xf32>)
  nnet3.dealloc_matrix %o5 : memref<2x4xf32>
  nnet3.provide_output "y", %a : memref<2x264xf32>
}

// Six neighbours are a vector of four and one of two.
// CHECK: func.func private @[[BLOCKS]]
// CHECK: vector.load {{.*}} vector<4xf32>
// CHECK: vector.store {{.*}} vector<4xf32>
// CHECK: vector.load {{.*}} vector<2xf32>
// CHECK: vector.store {{.*}} vector<2xf32>
// CHECK: func.func private @[[COLUMNS]]
// CHECK-NOT: vector.
// CHECK: func.func private @[[SMALL]]
// CHECK-NOT: vector.
// CHECK: scf.for {{.*}} -> (f64)
// Long groups are vectors and what is left of them.
// CHECK: func.func private @[[LARGE]]
// CHECK: scf.for {{.*}} -> (vector<4xf64>)
// CHECK: arith.addf {{.*}} : vector<2xf64>
// CHECK: scf.for {{.*}} -> (f64)
// CHECK: func.func private @[[PNORM]]
// CHECK: scf.for {{.*}} -> (vector<4xf64>)
// CHECK: math.sqrt
// Lanes are the channels, pixels a loop.
// CHECK: func.func private @[[POOL]]
// CHECK: scf.for {{.*}} -> (vector<4xf32>)
// CHECK: memref.load %arg2{{.*}} : memref<{{.*}}xi32>

// DEVICE-LABEL: func.func @all
// DEVICE-COUNT-6: call @map_rows_
// DEVICE-NOT: vector.
