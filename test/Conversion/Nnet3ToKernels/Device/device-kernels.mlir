// RUN: nnet3-opt --convert-nnet3-to-kernels=device=true --kernel-infer-alignment --kernel-fuse-maps --kernel-outline --convert-kernel-to-threads %s | FileCheck %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  %z = nnet3.input_node "z" : !nnet3.rows<8>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  %w = nnet3.input_node "wide" : !nnet3.rows<20>
  nnet3.output_node "v", %w : !nnet3.rows<20>
  nnet3.affine @affine {input_dim = 8, output_dim = 4}
  nnet3.tanh @tanh {dim = 4}
  nnet3.log_softmax @softmax {dim = 4}
  nnet3.rectified_linear @relu {dim = 4}
}

// The weights are rows of a matrix, as a device's library wants them.
// CHECK: layout [#kernel.packed<component = @net::@affine, part = panels, offset = 0, number = 1>

// Rows of the first input are at equal distances: the product reads them where
// they are. Those of the second one are gathered, and their product is added:
// apart from what follows, or with the bias.
// CHECK-LABEL: func.func @affine
// CHECK: call @[[PRODUCT:matmul_[0-9]+]]
// CHECK: call @[[GATHER:map_[0-9]+]]
// CHECK: call @[[ADDED:matmul_[0-9]+]]
// CHECK: call @[[BIASED:matmul_[0-9]+]]
// CHECK: call @[[REST:map_[0-9]+]]
// CHECK: call @[[EPILOGUE:map_[0-9]+]]
// CHECK-NEXT: return
nnet3.computation @affine for @net {
  %a = nnet3.accept_input "x" : memref<6x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  nnet3.fused_affine @net::@affine ins(%a, %a : memref<6x4xf32>, memref<6x4xf32>) rows [#nnet3.row_table<0:4:2>, #nnet3.row_table<_, 1:3:2>] columns [0, 4] bias epilogue [@net::@tanh] outs(%b : memref<3x4xf32>)
  nnet3.provide_output "y", %b : memref<3x4xf32>
}

// What the output is added to cannot be overwritten by the sums.
// CHECK-LABEL: func.func @residual
// CHECK: call @[[SUMS:matmul_[0-9]+]]({{.*}}, %[[SCRATCH:c0[_0-9]*]])
// CHECK: call @[[RESIDUAL:map_[0-9]+]]
// CHECK-NEXT: return
nnet3.computation @residual for @net {
  %a = nnet3.accept_input "z" : memref<3x8xf32>
  %b = nnet3.accept_input "x" : memref<3x4xf32>
  nnet3.fused_affine @net::@affine ins(%a : memref<3x8xf32>) rows [#nnet3.row_table<0:2>] columns [0] residual(%b : memref<3x4xf32>) scale 0.5 outs(%b : memref<3x4xf32>)
  nnet3.dealloc_matrix %a : memref<3x8xf32>
  nnet3.provide_output "y", %b : memref<3x4xf32>
}

// Two times 32 rows at equal distances are two products of one call.
// CHECK-LABEL: func.func @batches
// CHECK: call @[[BATCHES:matmul_[0-9]+]]
// CHECK-NEXT: return
nnet3.computation @batches for @net {
  %a = nnet3.accept_input "z" : memref<128x8xf32>
  %b = nnet3.alloc_matrix_undefined : memref<64x4xf32>
  nnet3.fused_affine @net::@affine ins(%a : memref<128x8xf32>) rows [#nnet3.row_table<0:31, 96:127>] columns [0] outs(%b : memref<64x4xf32>)
  nnet3.dealloc_matrix %a : memref<128x8xf32>
  nnet3.provide_output "y", %b : memref<64x4xf32>
}

// ReLU is never the library's, which may not keep NaN.
// CHECK-LABEL: func.func @relu
// CHECK: call @matmul_
// CHECK: call @[[RELU:matmul_[0-9]+]]
// CHECK: call @[[AFTER:map_[0-9]+]]
// CHECK: call @[[ALL:map_[0-9]+]]
// CHECK-NEXT: return
nnet3.computation @relu for @net {
  %a = nnet3.accept_input "z" : memref<3x8xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  nnet3.fused_affine @net::@affine ins(%a : memref<3x8xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias epilogue [@net::@relu] outs(%b : memref<3x4xf32>)
  nnet3.dealloc_matrix %a : memref<3x8xf32>
  nnet3.provide_output "y", %b : memref<3x4xf32>
}

// Blocks of columns, such as the heights of a convolution, are batches of one
// product, and their columns those of one epilogue; a block at another distance
// is not among them.
// CHECK-LABEL: func.func @blocks
// CHECK: call @[[HEIGHTS:matmul_[0-9]+]]
// CHECK: call @matmul_
// CHECK: call @[[PERIOD:map_[0-9]+]]
// CHECK: call @map_
// CHECK: call @[[HEIGHT:matmul_[0-9]+]]
nnet3.computation @blocks for @net {
  %a = nnet3.accept_input "wide" : memref<3x20xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x20xf32>
  %a0 = nnet3.sub_matrix %a[0, 0] : memref<3x20xf32> to memref<3x8xf32, strided<[20, 1]>>
  %a1 = nnet3.sub_matrix %a[0, 2] : memref<3x20xf32> to memref<3x8xf32, strided<[20, 1], offset: 2>>
  %a2 = nnet3.sub_matrix %a[0, 4] : memref<3x20xf32> to memref<3x8xf32, strided<[20, 1], offset: 4>>
  %a3 = nnet3.sub_matrix %a[0, 12] : memref<3x20xf32> to memref<3x8xf32, strided<[20, 1], offset: 12>>
  %b0 = nnet3.sub_matrix %b[0, 0] : memref<3x20xf32> to memref<3x4xf32, strided<[20, 1]>>
  %b1 = nnet3.sub_matrix %b[0, 4] : memref<3x20xf32> to memref<3x4xf32, strided<[20, 1], offset: 4>>
  %b2 = nnet3.sub_matrix %b[0, 8] : memref<3x20xf32> to memref<3x4xf32, strided<[20, 1], offset: 8>>
  %b3 = nnet3.sub_matrix %b[0, 12] : memref<3x20xf32> to memref<3x4xf32, strided<[20, 1], offset: 12>>
  nnet3.fused_affine @net::@affine ins(%a0 : memref<3x8xf32, strided<[20, 1]>>) rows [#nnet3.row_table<0:2>] columns [0] bias epilogue [@net::@tanh] outs(%b0 : memref<3x4xf32, strided<[20, 1]>>)
  nnet3.fused_affine @net::@affine ins(%a1 : memref<3x8xf32, strided<[20, 1], offset: 2>>) rows [#nnet3.row_table<0:2>] columns [0] bias epilogue [@net::@tanh] outs(%b1 : memref<3x4xf32, strided<[20, 1], offset: 4>>)
  nnet3.fused_affine @net::@affine ins(%a2 : memref<3x8xf32, strided<[20, 1], offset: 4>>) rows [#nnet3.row_table<0:2>] columns [0] bias epilogue [@net::@tanh] outs(%b2 : memref<3x4xf32, strided<[20, 1], offset: 8>>)
  nnet3.fused_affine @net::@affine ins(%a3 : memref<3x8xf32, strided<[20, 1], offset: 12>>) rows [#nnet3.row_table<0:2>] columns [0] bias epilogue [@net::@tanh] outs(%b3 : memref<3x4xf32, strided<[20, 1], offset: 12>>)
  nnet3.dealloc_matrix %a : memref<3x20xf32>
  nnet3.provide_output "v", %b : memref<3x20xf32>
}

// CHECK-LABEL: func.func @row
// CHECK: call @[[ROW:map_rows_[0-9]+]]
// CHECK-NEXT: return
nnet3.computation @row for @net {
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  nnet3.propagate @net::@softmax ins(%a : memref<3x4xf32>) outs(%b : memref<3x4xf32>)
  nnet3.dealloc_matrix %a : memref<3x4xf32>
  nnet3.provide_output "y", %b : memref<3x4xf32>
}

// CHECK: func.func private @[[PRODUCT]](
// CHECK: kernel.matmul nt weights({{.*}} : memref<4x4xf32, strided<[8, 1], {{.*}} ins({{.*}} : memref<1x3x4xf32, strided<[{{[0-9]+}}, 8, 1], {{.*}} outs({{.*}} : memref<1x3x4xf32, {{.*}}>){{$}}

// Blocks of threads for rows and for stretches of columns, threads for columns.
// CHECK: func.func private @[[GATHER]]({{.*}}kernel.block = #kernel.block<threads = 32
// CHECK: scf.parallel
// CHECK: scf.if
// CHECK: scf.parallel
// CHECK: memref.load
// CHECK: memref.store

// CHECK: func.func private @[[ADDED]](
// CHECK: kernel.matmul {{.*}}>) beta 1.0{{.*}} form apart
// CHECK: func.func private @[[BIASED]](
// CHECK: kernel.matmul {{.*}}bias({{.*}} beta 1.0{{.*}} form fused
// CHECK: func.func private @[[REST]]({{.*}}form = fused
// CHECK-NOT: arith.addf
// CHECK: math.tanh
// CHECK: memref.store
// CHECK: func.func private @[[EPILOGUE]]({{.*}}form = apart
// CHECK: arith.addf
// CHECK: math.tanh
// CHECK: memref.store

// CHECK: func.func private @[[RESIDUAL]]
// CHECK: arith.mulf
// CHECK: arith.addf

// CHECK: func.func private @[[BATCHES]](
// CHECK: kernel.matmul {{.*}} ins({{.*}} : memref<2x32x{{[0-9]+}}xf32, strided<[768, 8, 1], {{.*}} outs({{.*}} : memref<2x32x4xf32, strided<[128, 4, 1],

// CHECK: func.func private @[[RELU]](
// CHECK: kernel.matmul {{.*}}bias({{.*}} form fused
// CHECK: func.func private @[[AFTER]]({{.*}}form = fused
// CHECK-NOT: arith.addf
// CHECK: arith.cmpf ogt
// CHECK: func.func private @[[ALL]]({{.*}}form = apart
// CHECK: arith.addf

// CHECK: func.func private @[[HEIGHTS]](
// CHECK: kernel.matmul {{.*}} ins({{.*}} : memref<3x{{.*}}xf32, strided<[2, {{.*}} outs({{.*}} : memref<3x{{.*}}xf32, strided<[4,
// CHECK: func.func private @[[PERIOD]]
// CHECK: arith.rem
// CHECK: func.func private @[[HEIGHT]](
// CHECK: kernel.matmul {{.*}} ins({{.*}} : memref<1x

// The largest element, the sum, then the row.
// CHECK: func.func private @[[ROW]]
// CHECK: scf.parallel
// CHECK: scf.parallel {{.*}} init
// CHECK: arith.maximumf
// CHECK: scf.parallel {{.*}} init
// CHECK: math.exp
// CHECK: arith.addf
// CHECK: math.log
// CHECK: scf.parallel
// CHECK: memref.store
