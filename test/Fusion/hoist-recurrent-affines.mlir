// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-hoist-recurrent-affines))' %s | FileCheck %s
// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-hoist-recurrent-affines{max-rows=0}))' %s | FileCheck %s --check-prefix=MANY

// Steps of many rows use the weights often enough.
// MANY-NOT: init(

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  %last = nnet3.offset %h, t = -1 : !nnet3.rows<4>
  %opt = nnet3.if_defined %last : !nnet3.rows<4>
  %xh = nnet3.append %x, %opt : (!nnet3.rows<4>, !nnet3.rows<4>) -> !nnet3.rows<8>
  %h = nnet3.component_node "h" @step(%xh) : (!nnet3.rows<8>) -> !nnet3.rows<4>
  nnet3.affine @step {input_dim = 8, output_dim = 4}
}

// Steps 1 and 2 read rows of the input and the output of the step before, step
// 0 has none.
// CHECK-LABEL: nnet3.computation @rows
nnet3.computation @rows for @net {
  // CHECK: %[[A:.*]] = nnet3.accept_input
  // CHECK: %[[P:.*]] = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  // CHECK: fused_affine @net::@step ins(%[[A]] : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias outs(%[[P]] : memref<3x4xf32>)
  // CHECK: %[[P0:.*]] = nnet3.sub_matrix %[[P]][0, 0]
  // CHECK: %[[P1:.*]] = nnet3.sub_matrix %[[P]][1, 0]
  // CHECK: %[[P2:.*]] = nnet3.sub_matrix %[[P]][2, 0]
  // CHECK: matrix_copy %[[P0]] into
  // CHECK: fused_affine @net::@step ins(%{{.*}}) rows [#nnet3.row_table<0>] columns [4] init(%[[P1]] :
  // CHECK: fused_affine @net::@step ins(%{{.*}}) rows [#nnet3.row_table<0>] columns [4] init(%[[P2]] :
  // CHECK: dealloc_matrix %[[P]]
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %a2 = nnet3.sub_matrix %a[2, 0] : memref<3x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 8>>
  %h0 = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  %h1 = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  %h2 = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  nnet3.fused_affine @net::@step ins(%a : memref<3x4xf32>) rows [#nnet3.row_table<0>] columns [0] bias outs(%h0 : memref<1x4xf32>)
  nnet3.fused_affine @net::@step ins(%a, %h0 : memref<3x4xf32>, memref<1x4xf32>) rows [#nnet3.row_table<1>, #nnet3.row_table<0>] columns [0, 4] bias outs(%h1 : memref<1x4xf32>)
  nnet3.fused_affine @net::@step ins(%a2, %h1 : memref<1x4xf32, strided<[4, 1], offset: 8>>, memref<1x4xf32>) rows [#nnet3.row_table<0>, #nnet3.row_table<0>] columns [0, 4] bias outs(%h2 : memref<1x4xf32>)
  nnet3.provide_output "y", %h2 : memref<1x4xf32>
}

// The part that is ready lies in the same matrices as the recurrent one: it is
// brought together first.
// CHECK-LABEL: nnet3.computation @columns
nnet3.computation @columns for @net {
  // CHECK: %[[X:.*]] = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  // CHECK: copy_rows_multi [%{{.*}}, %{{.*}}, %{{.*}}] <0, 0 of 1, 0 of 2> into %[[X]]
  // CHECK: fused_affine @net::@step ins(%[[X]] : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias
  // CHECK: dealloc_matrix %[[X]]
  // CHECK-COUNT-3: fused_affine {{.*}} columns [4] init(
  %a = nnet3.accept_input "x" : memref<1x4xf32>
  %s0 = nnet3.alloc_matrix_zeroed : memref<1x8xf32>
  %s0x = nnet3.sub_matrix %s0[0, 0] : memref<1x8xf32> to memref<1x4xf32, strided<[8, 1]>>
  %s1 = nnet3.alloc_matrix_zeroed : memref<1x8xf32>
  %s1x = nnet3.sub_matrix %s1[0, 0] : memref<1x8xf32> to memref<1x4xf32, strided<[8, 1]>>
  %s1h = nnet3.sub_matrix %s1[0, 4] : memref<1x8xf32> to memref<1x4xf32, strided<[8, 1], offset: 4>>
  %s2 = nnet3.alloc_matrix_zeroed : memref<1x8xf32>
  %s2x = nnet3.sub_matrix %s2[0, 0] : memref<1x8xf32> to memref<1x4xf32, strided<[8, 1]>>
  %s2h = nnet3.sub_matrix %s2[0, 4] : memref<1x8xf32> to memref<1x4xf32, strided<[8, 1], offset: 4>>
  %y = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  nnet3.matrix_copy %a into %s0x : memref<1x4xf32> into memref<1x4xf32, strided<[8, 1]>>
  nnet3.matrix_copy %a into %s1x : memref<1x4xf32> into memref<1x4xf32, strided<[8, 1]>>
  nnet3.matrix_copy %a into %s2x : memref<1x4xf32> into memref<1x4xf32, strided<[8, 1]>>
  nnet3.fused_affine @net::@step ins(%s0 : memref<1x8xf32>) rows [#nnet3.row_table<0>] columns [0] bias outs(%s1h : memref<1x4xf32, strided<[8, 1], offset: 4>>)
  nnet3.fused_affine @net::@step ins(%s1 : memref<1x8xf32>) rows [#nnet3.row_table<0>] columns [0] bias outs(%s2h : memref<1x4xf32, strided<[8, 1], offset: 4>>)
  nnet3.fused_affine @net::@step ins(%s2 : memref<1x8xf32>) rows [#nnet3.row_table<0>] columns [0] bias outs(%y : memref<1x4xf32>)
  nnet3.provide_output "y", %y : memref<1x4xf32>
}

// Not where the input changes from step to step.
// CHECK-LABEL: nnet3.computation @changing
nnet3.computation @changing for @net {
  // CHECK-COUNT-3: columns [0, 4] bias outs(
  // CHECK-NOT: fused_affine
  %a = nnet3.accept_input "x" : memref<1x4xf32>
  %h = nnet3.alloc_matrix_zeroed : memref<1x4xf32>
  %g = nnet3.alloc_matrix_zeroed : memref<1x4xf32>
  nnet3.fused_affine @net::@step ins(%a, %h : memref<1x4xf32>, memref<1x4xf32>) rows [#nnet3.row_table<0>, #nnet3.row_table<0>] columns [0, 4] bias outs(%g : memref<1x4xf32>)
  nnet3.set_const %a, 1.0 : memref<1x4xf32>
  nnet3.fused_affine @net::@step ins(%a, %g : memref<1x4xf32>, memref<1x4xf32>) rows [#nnet3.row_table<0>, #nnet3.row_table<0>] columns [0, 4] bias outs(%h : memref<1x4xf32>)
  nnet3.set_const %a, 2.0 : memref<1x4xf32>
  nnet3.fused_affine @net::@step ins(%a, %h : memref<1x4xf32>, memref<1x4xf32>) rows [#nnet3.row_table<0>, #nnet3.row_table<0>] columns [0, 4] bias outs(%g : memref<1x4xf32>)
  nnet3.provide_output "y", %g : memref<1x4xf32>
}
