// RUN: nnet3-opt --kernel-set-target=instruction-sets=neon --convert-nnet3-to-kernels --kernel-outline --convert-kernel-to-vector %s | FileCheck %s
// RUN: nnet3-opt --convert-nnet3-to-kernels=device=true --kernel-infer-alignment --kernel-fuse-maps --kernel-outline --convert-kernel-to-threads %s | FileCheck %s --check-prefix=DEVICE

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<30>
  %z = nnet3.input_node "z" : !nnet3.rows<10>
  nnet3.output_node "y", %z : !nnet3.rows<10>
  nnet3.pnorm @pnorm {input_dim = 30, output_dim = 10}
  nnet3.maxpooling @pool {input_x_dim = 3, input_y_dim = 2, input_z_dim = 5, pool_x_size = 3, pool_x_step = 3, pool_y_size = 1, pool_y_step = 1, pool_z_size = 1, pool_z_step = 1}
  nnet3.distribute @distribute {input_dim = 30, output_dim = 10}
  nnet3.constant_function @constant {input_dim = 30, output_dim = 10}
  nnet3.dropout_mask @mask {dropout_proportion = 0.25 : f32, output_dim = 10, test_mode = true}
}

// CHECK: layout [#kernel.packed<component = @net::@constant, part = vector
// CHECK: calls []

// CHECK-LABEL: func.func @all
// CHECK: call @[[PNORM:map_rows_[0-9]+]]
// CHECK: call @[[POOL:map_rows_[0-9]+]]
// CHECK: call @[[CONSTANT:map_rows_[0-9]+]]
// CHECK: call @[[MASK:map_rows_[0-9]+]]
// CHECK: call @[[BLOCKS:map_[0-9]+]]
// CHECK: call @[[TABLE:map_[0-9]+]]
nnet3.computation @all for @net {
  %a = nnet3.accept_input "x" : memref<2x30xf32>
  %b = nnet3.alloc_matrix_undefined : memref<2x10xf32>
  nnet3.propagate @net::@pnorm ins(%a : memref<2x30xf32>) outs(%b : memref<2x10xf32>)
  nnet3.propagate @net::@pool ins(%a : memref<2x30xf32>) outs(%b : memref<2x10xf32>)
  nnet3.propagate @net::@constant ins(%a : memref<2x30xf32>) outs(%b : memref<2x10xf32>)
  nnet3.propagate @net::@mask outs(%b : memref<2x10xf32>)
  %c = nnet3.alloc_matrix_undefined : memref<6x10xf32>
  nnet3.propagate @net::@distribute ins(%a : memref<2x30xf32>) outs(%c : memref<6x10xf32>) precomputed {blocks = #nnet3.row_table<0:2, 0:2>, rows = #nnet3.row_table<0, 0, 0, 1, 1, 1>}
  nnet3.propagate @net::@distribute ins(%a : memref<2x30xf32>) outs(%c : memref<6x10xf32>) precomputed {blocks = #nnet3.row_table<0, 2, 1, 0, 2, 1>, rows = #nnet3.row_table<0, 0, 0, 1, 1, 1>}
  nnet3.dealloc_matrix %a : memref<2x30xf32>
  nnet3.dealloc_matrix %c : memref<6x10xf32>
  nnet3.provide_output "y", %b : memref<2x10xf32>
}

// Lanes are groups, whose columns are loaded one by one.
// CHECK: func.func private @[[PNORM]]
// CHECK: vector.from_elements {{.*}} : vector<4xf32>
// CHECK: scf.for {{.*}} -> (vector<4xf64>)
// CHECK: math.sqrt {{.*}} : vector<4xf32>

// Lanes are filters: four of five, then one.
// CHECK: func.func private @[[POOL]]
// CHECK-COUNT-3: arith.cmpf ogt, {{.*}} : vector<4xf32>
// CHECK-COUNT-3: arith.cmpf ogt, {{.*}} : f32

// CHECK: func.func private @[[CONSTANT]]
// CHECK: vector.load %arg1
// CHECK: func.func private @[[MASK]]
// CHECK: 7.500000e-01
// Blocks in their order are rows at equal distances.
// CHECK: func.func private @[[BLOCKS]]
// CHECK: scf.for %[[R:.*]] = %c0
// CHECK: arith.muli %[[R]], %c10
// CHECK: arith.muli %[[R]], %c10
// CHECK: func.func private @[[TABLE]]
// CHECK: memref.load {{.*}} : memref<{{.*}}xi32>

// DEVICE-LABEL: func.func @all
// DEVICE: call @[[PNORM:map_rows_[0-9]+]]
// DEVICE: func.func private @[[PNORM]]
// DEVICE: scf.parallel (%{{.*}}, %{{.*}}) =
// DEVICE: scf.parallel
// DEVICE: scf.for {{.*}} -> (f64)
// DEVICE: math.sqrt
