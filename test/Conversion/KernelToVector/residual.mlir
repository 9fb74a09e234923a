// RUN: nnet3-opt --kernel-set-target=instruction-sets=sse2 --convert-nnet3-to-kernels --kernel-outline --convert-kernel-to-vector %s | FileCheck %s

// Bypass sums: what is added behind the epilogue.

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.linear @linear {input_dim = 4, output_dim = 4}
  nnet3.linear @wide {input_dim = 4, output_dim = 6}
  nnet3.rectified_linear @relu {dim = 4}
}

// CHECK-LABEL: func.func @sums
nnet3.computation @sums for @net {
  %a = nnet3.accept_input "x" : memref<2x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<2x8xf32>
  %c = nnet3.sub_matrix %b[0, 4] : memref<2x8xf32> to memref<2x4xf32, strided<[8, 1], offset: 4>>
  %d = nnet3.alloc_matrix_zeroed : memref<2x6xf32>
  // Offsets: input, weights, residual, output.
  // CHECK: call @[[SCALED:gemm_[0-9]]]({{.*}}, %{{[^ ]*}}, %c0{{[_0-9]*}}, %c20{{[_0-9]*}}, %{{[^ ]*}})
  nnet3.fused_affine @net::@linear ins(%a : memref<2x4xf32>) rows [#nnet3.row_table<0:1>] columns [0] epilogue [@net::@relu] residual(%c : memref<2x4xf32, strided<[8, 1], offset: 4>>) scale 0.66 outs(%a : memref<2x4xf32>)
  // CHECK: call @[[WIDE:gemm_[0-9]]]
  nnet3.fused_affine @net::@wide ins(%a : memref<2x4xf32>) rows [#nnet3.row_table<0:1>] columns [0] residual(%d : memref<2x6xf32>) outs(%d : memref<2x6xf32>)
  nnet3.dealloc_matrix %b : memref<2x8xf32>
  nnet3.dealloc_matrix %d : memref<2x6xf32>
  nnet3.provide_output "y", %a : memref<2x4xf32>
}

// The rows of the residual are eight floats apart, those of the output four; it
// is added behind the epilogue.
// CHECK:      func.func private @[[SCALED]](%[[ARENA:arg0]]
// CHECK-SAME: %arg4: index, %arg5: index, %[[PLACE:arg6]]: index, %[[OUT:arg7]]: index
// CHECK: %[[STRIDE:.*]] = arith.constant 8 : index
// CHECK: muli %{{.*}}, %[[STRIDE]]
// CHECK: addi %[[PLACE]]
// CHECK: %[[ADDED:.*]] = vector.load %[[ARENA]]{{.*}}
// CHECK: %[[SUM:.*]] = arith.select {{.*}} vector<4xf32>
// CHECK: %[[SCALE:.*]] = arith.constant dense<6.600000e-01> : vector<4xf32>
// CHECK: %[[SCALED:.*]] = arith.mulf %[[ADDED]], %[[SCALE]] : vector<4xf32>
// CHECK: %[[ALL:.*]] = arith.addf %[[SUM]], %[[SCALED]] : vector<4xf32>
// CHECK: vector.store %[[ALL]], %[[ARENA]]

// Of the last vector only the columns that are there are read.
// CHECK:      func.func private @[[WIDE]](
// CHECK: %[[PART:.*]] = vector.load %{{.*}} : {{.*}}, vector<2xf32>
// CHECK: vector.insert_strided_slice %[[PART]]
// CHECK: arith.addf
// CHECK: vector.store {{.*}} vector<2xf32>
