// RUN: nnet3-opt --kernel-set-target=instruction-sets=neon --convert-nnet3-to-kernels --kernel-outline %s | FileCheck %s
// RUN: nnet3-opt --kernel-set-target=instruction-sets=neon --convert-nnet3-to-kernels=device --kernel-outline %s | FileCheck %s --check-prefix=DEVICE

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 4}
  nnet3.rectified_linear @relu {dim = 4}
  nnet3.no_op @noop {dim = 4}
}

// Two rows of a round are in different matrices, of which one moves: a part of
// one table for all rounds says where they are.
// CHECK: row_tables <96, 40, 96, 32, 96, 24, 96, 16, 96{{[,:].*}}>
// CHECK-LABEL: func.func @steps
// CHECK: call @map_0
// CHECK: %[[FROM:.*]] = arith.constant 0 : index
// CHECK: %[[COUNT:.*]] = arith.constant 5 : index
// CHECK: scf.for %[[ROUND:.*]] = %[[FROM]] to %[[COUNT]]
// CHECK: %[[B:.*]] = arith.constant 48 : index
// CHECK: %[[BSTEP:.*]] = arith.muli %[[ROUND]], %c8
// CHECK: %[[BROW:.*]] = arith.addi %[[B]], %[[BSTEP]]
// CHECK: %[[A:.*]] = arith.constant 40 : index
// CHECK: %[[ASTEP:.*]] = arith.muli %[[ROUND]], %c-8
// CHECK: %[[AROW:.*]] = arith.addi %[[A]], %[[ASTEP]]
// The matrix of each round is in the same place.
// CHECK: func.call @gemm_1(%{{.*}}, %[[BROW]], %{{.*}}, %{{.*}}, %[[AROW]], %c96)
// CHECK: %[[TABLE:.*]] = arith.addi %c0{{.*}}, %{{.*}}
// CHECK: %[[C:.*]] = arith.addi %c52, %{{.*}}
// CHECK: func.call @map_2(%{{.*}}, %[[TABLE]], %[[C]])
// CHECK-NEXT: }
// CHECK-NEXT: return

// Programs of devices are lists of launches.
// DEVICE-LABEL: func.func @steps
// DEVICE-NOT: scf.for
// DEVICE-COUNT-5: call @gemv_1
// DEVICE-NOT: call @gemv
// DEVICE: return
nnet3.computation @steps for @net {
  %x = nnet3.accept_input "x" : memref<11x4xf32>
  %y = nnet3.alloc_matrix_undefined : memref<11x4xf32>
  %first = nnet3.sub_matrix %y[0, 0] : memref<11x4xf32> to memref<1x4xf32, strided<[4, 1]>>
  nnet3.set_const %first, 0.0 : memref<1x4xf32, strided<[4, 1]>>
  nnet3.loop %round to 5 {
    %a = nnet3.moving_sub_matrix %x[10 + -2 * %round, 0] : memref<11x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    %b = nnet3.moving_sub_matrix %y[0 + 2 * %round, 0] : memref<11x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    %c = nnet3.moving_sub_matrix %y[1 + 2 * %round, 0] : memref<11x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
    %t = nnet3.alloc_matrix_undefined : memref<1x4xf32>
    nnet3.fused_affine @net::@affine ins(%b : memref<1x4xf32, strided<[4, 1], offset: ?>>) rows [#nnet3.row_table<0>] columns [0] bias init(%a : memref<1x4xf32, strided<[4, 1], offset: ?>>) outs(%t : memref<1x4xf32>)
    nnet3.copy_rows_multi [%t, %a] <0 of 0, 0 of 1> into %c : memref<1x4xf32>, memref<1x4xf32, strided<[4, 1], offset: ?>> into memref<2x4xf32, strided<[4, 1], offset: ?>>
    nnet3.dealloc_matrix %t : memref<1x4xf32>
  }
  nnet3.dealloc_matrix %x : memref<11x4xf32>
  nnet3.provide_output "y", %y : memref<11x4xf32>
}

// In the first round, the matrix is copied to itself, which is nothing to be
// done. The rounds are not the same.
// CHECK-LABEL: func.func @meeting
// CHECK-NOT: scf.for
// CHECK: call @map_3
// CHECK-NOT: call @map_4
// CHECK: call @map_3
// CHECK: call @map_4(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %c4)
// CHECK: call @map_3
// CHECK: call @map_4(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %c8)
// CHECK-NEXT: return
nnet3.computation @meeting for @net {
  %x = nnet3.accept_input "x" : memref<4x4xf32>
  nnet3.loop %round to 3 {
    %a = nnet3.sub_matrix %x[0, 0] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1]>>
    %b = nnet3.moving_sub_matrix %x[0 + 1 * %round, 0] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
    nnet3.propagate @net::@relu ins(%a : memref<2x4xf32, strided<[4, 1]>>) outs(%a : memref<2x4xf32, strided<[4, 1]>>)
    nnet3.propagate @net::@noop ins(%a : memref<2x4xf32, strided<[4, 1]>>) outs(%b : memref<2x4xf32, strided<[4, 1], offset: ?>>)
  }
  nnet3.provide_output "y", %x : memref<4x4xf32>
}

// CHECK-LABEL: func.func @once
// CHECK-NOT: scf.for
// CHECK: call @map_5
// CHECK-NEXT: return
nnet3.computation @once for @net {
  %x = nnet3.accept_input "x" : memref<1x4xf32>
  nnet3.loop %round to 1 {
    nnet3.propagate @net::@relu ins(%x : memref<1x4xf32>) outs(%x : memref<1x4xf32>)
  }
  nnet3.provide_output "y", %x : memref<1x4xf32>
}
