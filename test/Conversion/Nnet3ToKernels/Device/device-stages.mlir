// RUN: nnet3-opt --convert-nnet3-to-kernels=device=true --kernel-infer-alignment --kernel-fuse-maps --kernel-outline --convert-kernel-to-threads %s | FileCheck %s
// RUN: nnet3-opt --convert-nnet3-to-kernels=device=true --kernel-infer-alignment --kernel-fuse-maps --kernel-outline --convert-kernel-to-threads --convert-nnet3-kernels-to-gpu %s | FileCheck %s --check-prefix=GPU

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<6>
  %z = nnet3.input_node "z" : !nnet3.rows<195>
  nnet3.output_node "y", %x : !nnet3.rows<6>
  nnet3.batch_norm @norm {dim = 6, block_dim = 3}
  nnet3.batch_norm @many {dim = 195, block_dim = 3}
  nnet3.dropout @dropout {dim = 6, dropout_proportion = 0.5 : f32}
}

// Sums of the batch, then all that is computed from them; the memo is behind the
// scratch memory.
// CHECK-LABEL: func.func @batch_norm
// CHECK: %[[MEMO:.*]] = arith.constant 64 : index
// CHECK: call @[[SUMS:stage_[0-9]+]](%arg0, %arg1, %arg2, %arg3, %[[X:[^,]*]], %[[MEMO]], %{{[^,]*}}, %{{[^,]*}})
// CHECK: call @[[ROWS:stage_[0-9]+]](%arg0, %arg1, %arg2, %arg3, %[[X]], %[[MEMO]],
// CHECK: %[[MEMO:.*]] = arith.constant 64 : index
// CHECK: call @[[BACKWARD:stage_[0-9]+]](%arg0, %arg1, %arg2, %arg3, %{{[^,]*}}, %{{[^,]*}}, %[[MEMO]],
// CHECK: call @[[DERIVATIVES:stage_[0-9]+]]
// CHECK-NEXT: return
nnet3.computation @batch_norm for @net {
  %x = nnet3.accept_input "x" : memref<5x6xf32>
  %d = nnet3.accept_input "y" : memref<5x6xf32>
  %memo = nnet3.propagate @net::@norm ins(%x : memref<5x6xf32>) outs(%x : memref<5x6xf32>) -> !nnet3.memo
  nnet3.backprop @net::@norm out_value(%x : memref<5x6xf32>) out_deriv(%d : memref<5x6xf32>) in_deriv(%d : memref<5x6xf32>) memo(%memo : !nnet3.memo) draw 0
  nnet3.provide_output "x", %d : memref<5x6xf32>
}

// Of more than 64 blocks the sums are added up before the rows.
// CHECK-LABEL: func.func @many_blocks
// CHECK: call @stage
// CHECK: call @[[TOTALS:stage_[0-9]+]]
// CHECK: call @[[ALONE:stage_[0-9]+]]
// CHECK-NEXT: return
nnet3.computation @many_blocks for @net {
  %x = nnet3.accept_input "z" : memref<5x195xf32>
  nnet3.propagate @net::@many ins(%x : memref<5x195xf32>) outs(%x : memref<5x195xf32>)
  nnet3.provide_output "z", %x : memref<5x195xf32>
}

// The caller writes the state of the random numbers; behind its place is the
// number of the command, then that of the output.
// CHECK: kernel.entry @dropout {{.*}} random 0
// CHECK-LABEL: func.func @dropout
// CHECK: %[[DRAW:.*]] = arith.constant 7 : index
// CHECK: call @[[DRAWN:stage_[0-9]+]]({{.*}}, %[[DRAW]], %{{[^,]*}})
nnet3.computation @dropout for @net {
  %x = nnet3.accept_input "x" : memref<5x6xf32>
  %y = nnet3.alloc_matrix_undefined : memref<5x6xf32>
  nnet3.propagate @net::@dropout ins(%x : memref<5x6xf32>) outs(%y : memref<5x6xf32>) draw 7
  nnet3.provide_output "y", %y : memref<5x6xf32>
}

// Both sums at once, those of the forward pass in double precision. Each block
// of threads adds up those of its columns, and computes some rows then.
// CHECK: func.func private @[[SUMS]]
// CHECK: memref.alloca() : memref<512xf64>
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (f64, f64)
// CHECK: func.func private @[[ROWS]]
// CHECK: %[[FACTORS:.*]] = memref.alloca() : memref<96xf32>
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (f64, f64)
// CHECK: memref.store %{{.*}}, %[[FACTORS]]
// CHECK: scf.parallel
// CHECK: memref.load %[[FACTORS]]
// CHECK: scf.for
// CHECK: func.func private @[[BACKWARD]]
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (f32, f32)
// CHECK: func.func private @[[DERIVATIVES]]
// CHECK: memref.alloca() : memref<96xf32>
// CHECK: func.func private @[[TOTALS]]
// CHECK: memref.alloca() : memref<512xf64>
// CHECK: func.func private @[[ALONE]]
// CHECK-NOT: memref.alloca
// CHECK: func.func private @[[DRAWN]]
// CHECK: arith.mului_extended
// GPU: gpu.func @stage_0
// GPU-SAME: workgroup(
