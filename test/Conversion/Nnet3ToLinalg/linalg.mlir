// RUN: nnet3-opt --convert-nnet3-to-linalg %s | FileCheck %s
// RUN: nnet3-opt --convert-nnet3-to-linalg --nnet3-decompose-concats %s | FileCheck %s --check-prefix=DECOMPOSED

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<2>
  nnet3.output_node "y", %x : !nnet3.rows<2>
  nnet3.affine @affine {input_dim = 4, output_dim = 2, linear_params = dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>, bias_params = dense<[9.0, 10.0]> : tensor<2xf32>}
  nnet3.rectified_linear @relu {dim = 2}
  nnet3.log_softmax @softmax {dim = 2}
  nnet3.permute @permute {column_map = array<i64: 1, 0>}
}

// Two rows of the input side by side are multiplied with the transposed
// weights.
// CHECK-LABEL: func.func @splice
// CHECK-SAME: (%[[X:.*]]: tensor<3x2xf32> {nnet3.node = "x"}) -> (tensor<2x2xf32> {nnet3.node = "y"})
// CHECK-DAG: %[[FIRST:.*]] = tensor.extract_slice %[[X]][0, 0] [2, 2] [1, 1]
// CHECK-DAG: %[[SECOND:.*]] = tensor.extract_slice %[[X]][1, 0] [2, 2] [1, 1]
// CHECK-DAG: %[[W:.*]] = arith.constant dense<{{.*}}1.000000e+00, 5.000000e+00], [2.000000e+00, 6.000000e+00
// CHECK: %[[B:.*]] = linalg.broadcast
// CHECK: %[[BOTH:.*]] = tensor.concat dim(1) %[[FIRST]], %[[SECOND]]
// CHECK: %[[PRODUCT:.*]] = linalg.matmul ins(%[[BOTH]], %[[W]] : {{.*}}) outs(%[[B]]
// CHECK: arith.cmpf ogt, %{{.*}}, %[[PRODUCT]] : tensor<2x2xf32>
// CHECK: %[[RELU:.*]] = arith.select
// CHECK: return %[[RELU]]
// DECOMPOSED-LABEL: func.func @splice
// DECOMPOSED: tensor.insert_slice
// DECOMPOSED-NOT: tensor.concat
nnet3.computation @splice for @net {
  %x = nnet3.accept_input "x" : memref<3x2xf32>
  %y = nnet3.alloc_matrix_undefined : memref<2x2xf32>
  nnet3.fused_affine @net::@affine ins(%x, %x : memref<3x2xf32>, memref<3x2xf32>) rows [#nnet3.row_table<0:1>, #nnet3.row_table<1:2>] columns [0, 2] bias outs(%y : memref<2x2xf32>)
  nnet3.propagate @net::@relu ins(%y : memref<2x2xf32>) outs(%y : memref<2x2xf32>)
  nnet3.provide_output "y", %y : memref<2x2xf32>
}

// The code of a row on all rows.
// CHECK-LABEL: func.func @rows
// CHECK: %[[MOST:.*]] = linalg.reduce {{.*}} dimensions = [1]
// CHECK: arith.maximumf
// CHECK: math.exp %{{.*}} : tensor<3x2xf32>
// CHECK: math.log %{{.*}} : tensor<3x1xf32>
// CHECK: arith.subf
// CHECK: %[[LOG:.*]] = arith.subf
// CHECK-DAG: %[[A:.*]] = tensor.extract_slice %[[LOG]][0, 1] [3, 1]
// CHECK-DAG: %[[B:.*]] = tensor.extract_slice %[[LOG]][0, 0] [3, 1]
// CHECK: tensor.concat dim(1) %[[A]], %[[B]]
nnet3.computation @rows for @net {
  %x = nnet3.accept_input "x" : memref<3x2xf32>
  %y = nnet3.alloc_matrix_undefined : memref<3x2xf32>
  %z = nnet3.alloc_matrix_undefined : memref<3x2xf32>
  nnet3.propagate @net::@softmax ins(%x : memref<3x2xf32>) outs(%y : memref<3x2xf32>)
  nnet3.propagate @net::@permute ins(%y : memref<3x2xf32>) outs(%z : memref<3x2xf32>)
  nnet3.provide_output "y", %z : memref<3x2xf32>
}

// Rows at many distances are one gather; a row that is not there is zeros.
// CHECK-LABEL: func.func @gather
// CHECK-SAME: (%[[X:.*]]: tensor<9x2xf32>
// CHECK: %[[ZEROS:.*]] = tensor.concat dim(0) %{{.*}}, %[[X]]
// CHECK: arith.constant dense<[1, 3, 2, 5, 4, 9, 1, 8, 3, 0, 6, 5, 2]> : tensor<13xi32>
// CHECK: linalg.generic
// CHECK: tensor.extract %[[ZEROS]]
nnet3.computation @gather for @net {
  %x = nnet3.accept_input "x" : memref<9x2xf32>
  %y = nnet3.alloc_matrix_undefined : memref<13x2xf32>
  nnet3.copy_rows %x <0, 2, 1, 4, 3, 8, 0, 7, 2, _, 5, 4, 1> into %y : memref<9x2xf32> into memref<13x2xf32>
  nnet3.provide_output "y", %y : memref<13x2xf32>
}

// What is written in part keeps the rest.
// CHECK-LABEL: func.func @parts
// CHECK-SAME: (%[[X:.*]]: tensor<2x2xf32>
// CHECK-DAG: %[[KEPT:.*]] = tensor.extract_slice %[[X]][0, 1] [2, 1]
// CHECK-DAG: %[[NEW:.*]] = arith.constant dense<5.000000e-01> : tensor<2x1xf32>
// CHECK: tensor.concat dim(1) %[[NEW]], %[[KEPT]]
nnet3.computation @parts for @net {
  %x = nnet3.accept_input "x" : memref<2x2xf32>
  %column = nnet3.sub_matrix %x[0, 0] : memref<2x2xf32> to memref<2x1xf32, strided<[2, 1]>>
  nnet3.set_const %column, 5.000000e-01 : memref<2x1xf32, strided<[2, 1]>>
  nnet3.provide_output "y", %x : memref<2x2xf32>
}
