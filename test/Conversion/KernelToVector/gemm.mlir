// RUN: nnet3-opt --kernel-set-target=instruction-sets=sse2 --convert-nnet3-to-kernels --kernel-outline --convert-kernel-to-vector %s | FileCheck %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.linear @linear {input_dim = 8, output_dim = 6}
}

// CHECK-LABEL: func.func @products
nnet3.computation @products for @net {
  // CHECK-COUNT-2: call @gemm_0
  // CHECK-NEXT: return
  %a = nnet3.accept_input "x" : memref<2x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<1x6xf32>
  %c = nnet3.alloc_matrix_undefined : memref<1x6xf32>
  nnet3.fused_affine @net::@linear ins(%a : memref<2x4xf32>) rows [#nnet3.row_table<0>] columns [0] outs(%b : memref<1x6xf32>)
  nnet3.fused_affine @net::@linear ins(%a : memref<2x4xf32>) rows [#nnet3.row_table<1>] columns [0] outs(%c : memref<1x6xf32>)
  nnet3.dealloc_matrix %b : memref<1x6xf32>
  nnet3.dealloc_matrix %c : memref<1x6xf32>
  nnet3.provide_output "y", %a : memref<2x4xf32>
}

// The sums begin with rows of their own, or with one row for all: each sum has
// one order, whatever its first terms are.
// CHECK-LABEL: func.func @begins
nnet3.computation @begins for @net {
  %a = nnet3.accept_input "x" : memref<2x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<2x6xf32>
  %c = nnet3.alloc_matrix_undefined : memref<2x6xf32>
  %row = nnet3.sub_matrix %b[0, 0] : memref<2x6xf32> to memref<1x6xf32, strided<[6, 1]>>
  nnet3.fused_affine @net::@linear ins(%a : memref<2x4xf32>) rows [#nnet3.row_table<0:1>] columns [0] init(%b : memref<2x6xf32>) outs(%c : memref<2x6xf32>)
  nnet3.fused_affine @net::@linear ins(%a : memref<2x4xf32>) rows [#nnet3.row_table<0:1>] columns [0] init(%row : memref<1x6xf32, strided<[6, 1]>>) outs(%c : memref<2x6xf32>)
  nnet3.dealloc_matrix %b : memref<2x6xf32>
  nnet3.dealloc_matrix %c : memref<2x6xf32>
  nnet3.provide_output "y", %a : memref<2x4xf32>
}

// Rows that come in turn.
// CHECK-LABEL: func.func @begins_in_turn
nnet3.computation @begins_in_turn for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<2x6xf32>
  %c = nnet3.alloc_matrix_undefined : memref<4x6xf32>
  nnet3.fused_affine @net::@linear ins(%a : memref<4x4xf32>) rows [#nnet3.row_table<0:3>] columns [0] init(%b : memref<2x6xf32>) outs(%c : memref<4x6xf32>)
  nnet3.dealloc_matrix %b : memref<2x6xf32>
  nnet3.dealloc_matrix %c : memref<4x6xf32>
  nnet3.provide_output "y", %a : memref<4x4xf32>
}

// One row, six columns: a vector and a half. Each sum takes the columns of the
// row one by one.
// CHECK-LABEL: func.func private @gemm_0
// CHECK: %[[STEP:.*]] = arith.constant 1 : index
// CHECK: scf.for {{.*}} step %[[STEP]] iter_args(%{{[^,]*}}, %{{[^,]*}}) -> (vector<4xf32>, vector<4xf32>)
// CHECK: vector.load {{.*}} vector<4xf32>
// CHECK-COUNT-2: arith.mulf
// CHECK-NOT: arith.mulf
// CHECK: vector.store {{.*}} vector<2xf32>
// CHECK: return

// CHECK-LABEL: func.func private @gemm_1
// CHECK: memref.prefetch {{.*}} write
// CHECK: vector.load %arg0
// CHECK: scf.for
// CHECK: arith.mulf
// CHECK-NOT: vector.load %arg0
// CHECK: vector.store
// CHECK-LABEL: func.func private @gemm_2
// CHECK: vector.load %arg0
// CHECK: arith.mulf
// CHECK-NOT: vector.load %arg0
// CHECK: return

// CHECK-LABEL: func.func private @gemm_3
// CHECK: arith.remui
// CHECK: vector.load %arg0
// CHECK: arith.mulf
// CHECK: return
