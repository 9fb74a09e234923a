// RUN: nnet3-opt --convert-nnet3-to-kernels=device=true --kernel-infer-alignment --kernel-fuse-maps --kernel-outline --convert-kernel-to-threads %s | FileCheck %s
// RUN: nnet3-opt --convert-nnet3-to-kernels=device=true --kernel-infer-alignment --kernel-fuse-maps --kernel-outline --convert-kernel-to-threads --convert-nnet3-kernels-to-gpu %s | FileCheck --check-prefix=GPU %s

// A step of an LSTM for one sequence: the product of a row that gives the gates
// and the nonlinearity are one launch.

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<20>
  nnet3.output_node "y", %x : !nnet3.rows<20>
  %r = nnet3.input_node "r" : !nnet3.rows<8>
  %c = nnet3.input_node "c" : !nnet3.rows<4>
  %z = nnet3.input_node "z" : !nnet3.rows<8>
  nnet3.output_node "v", %z : !nnet3.rows<8>
  nnet3.lstm_nonlinearity @lstm {cell_dim = 4}
  nnet3.affine @gates {input_dim = 8, output_dim = 16}
  nnet3.affine @other {input_dim = 8, output_dim = 8}
  nnet3.tanh @tanh {dim = 8}
}

// CHECK-LABEL: func.func @step
// CHECK: call @[[STEP:gemv_[0-9]+]]
// CHECK-NEXT: return
nnet3.computation @step for @net {
  %x = nnet3.accept_input "x" : memref<1x20xf32>
  %r = nnet3.accept_input "r" : memref<1x8xf32>
  %c = nnet3.accept_input "c" : memref<1x4xf32>
  %y = nnet3.alloc_matrix_undefined : memref<1x8xf32>
  %gates = nnet3.sub_matrix %x[0, 0] : memref<1x20xf32> to memref<1x16xf32, strided<[20, 1]>>
  %state = nnet3.sub_matrix %x[0, 16] : memref<1x20xf32> to memref<1x4xf32, strided<[20, 1], offset: 16>>
  nnet3.fused_affine @net::@gates ins(%r : memref<1x8xf32>) rows [#nnet3.row_table<0:0>] columns [0] init(%gates : memref<1x16xf32, strided<[20, 1]>>) outs(%gates : memref<1x16xf32, strided<[20, 1]>>)
  nnet3.matrix_copy %c into %state : memref<1x4xf32> into memref<1x4xf32, strided<[20, 1], offset: 16>>
  nnet3.propagate @net::@lstm ins(%x : memref<1x20xf32>) outs(%y : memref<1x8xf32>)
  nnet3.dealloc_matrix %x : memref<1x20xf32>
  nnet3.dealloc_matrix %r : memref<1x8xf32>
  nnet3.dealloc_matrix %c : memref<1x4xf32>
  nnet3.provide_output "v", %y : memref<1x8xf32>
}

// What follows may write neither what all warps read,
// CHECK-LABEL: func.func @input_written
// CHECK: call @gemv_
// CHECK: call @map_
// CHECK-NEXT: return
nnet3.computation @input_written for @net {
  %r = nnet3.accept_input "r" : memref<1x8xf32>
  %y = nnet3.alloc_matrix_undefined : memref<1x8xf32>
  nnet3.fused_affine @net::@other ins(%r : memref<1x8xf32>) rows [#nnet3.row_table<0:0>] columns [0] bias outs(%y : memref<1x8xf32>)
  nnet3.matrix_copy %y into %r : memref<1x8xf32> into memref<1x8xf32>
  nnet3.dealloc_matrix %y : memref<1x8xf32>
  nnet3.provide_output "v", %r : memref<1x8xf32>
}

// nor read columns of other warps.
// CHECK-LABEL: func.func @other_columns
// CHECK: call @gemv_
// CHECK: call @map_
// CHECK-NEXT: return
nnet3.computation @other_columns for @net {
  %r = nnet3.accept_input "r" : memref<1x8xf32>
  %x = nnet3.alloc_matrix_undefined : memref<1x20xf32>
  %y = nnet3.alloc_matrix_undefined : memref<1x8xf32>
  %gates = nnet3.sub_matrix %x[0, 0] : memref<1x20xf32> to memref<1x16xf32, strided<[20, 1]>>
  %some = nnet3.sub_matrix %x[0, 6] : memref<1x20xf32> to memref<1x8xf32, strided<[20, 1], offset: 6>>
  nnet3.fused_affine @net::@gates ins(%r : memref<1x8xf32>) rows [#nnet3.row_table<0:0>] columns [0] outs(%gates : memref<1x16xf32, strided<[20, 1]>>)
  nnet3.propagate @net::@tanh ins(%some : memref<1x8xf32, strided<[20, 1], offset: 6>>) outs(%y : memref<1x8xf32>)
  nnet3.dealloc_matrix %r : memref<1x8xf32>
  nnet3.dealloc_matrix %x : memref<1x20xf32>
  nnet3.provide_output "v", %y : memref<1x8xf32>
}

// A warp computes the four sums of a cell: what it has of the input serves all
// of them. Then one thread goes on, with the gates that it has.
// CHECK: func.func private @[[STEP]]
// CHECK-SAME: kernel.block = #kernel.block<threads = 32, warps = true
// CHECK: scf.parallel (%{{.*}}) = {{.*}} to (%c4{{[_0-9]*}})
// CHECK-COUNT-8: memref.load
// CHECK-NOT: memref.load
// CHECK: %[[SUMS:.*]]:4 = scf.parallel
// CHECK-COUNT-5: vector.load {{.*}} {alignment = 16 : i64}
// CHECK-NOT: vector.load
// CHECK: scf.parallel {{.*}} to (%c1{{[_0-9]*}})
// CHECK-NOT: memref.load
// CHECK: arith.addf %[[SUMS]]#0
// CHECK: math.tanh
// CHECK-NOT: memref.load
// CHECK: memref.store
// CHECK: return

// Threads wait for those of their warp alone.
// GPU: gpu.func @gemv_
// GPU-SAME: known_block_size = array<i32: 32, 1, 1>
// GPU: arith.remui
// GPU-COUNT-4: gpu.subgroup_reduce add
// GPU-NOT: gpu.barrier
// GPU: nvvm.bar.warp.sync
// GPU: math.tanh
// GPU: memref.store
// GPU-NOT: gpu.barrier
// GPU: gpu.return
