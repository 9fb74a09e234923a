// RUN: nnet3-opt --convert-nnet3-to-kernels=device=true --kernel-infer-alignment --kernel-fuse-maps --kernel-split-reductions --kernel-outline --convert-kernel-to-threads %s | FileCheck %s
// RUN: nnet3-opt --convert-nnet3-to-kernels=device=true --kernel-infer-alignment --kernel-fuse-maps --kernel-split-reductions --kernel-outline --convert-kernel-to-threads --convert-nnet3-kernels-to-gpu %s | FileCheck %s --check-prefix=GPU
// RUN: nnet3-opt --convert-nnet3-to-kernels=device=true --kernel-infer-alignment --kernel-fuse-maps --kernel-split-reductions --kernel-outline --convert-kernel-to-threads --convert-nnet3-kernels-to-gpu --nnet3-gpu-to-nvvm --nnet3-nvvm-to-ptx=chip=sm_90 %s | FileCheck --check-prefix=PTX %s
// RUN: nnet3-opt --convert-nnet3-to-kernels=device=true --kernel-infer-alignment --kernel-fuse-maps --kernel-split-reductions --kernel-outline --convert-kernel-to-threads --nnet3-kernels-to-llvm %s | FileCheck %s --check-prefix=CPU

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  %z = nnet3.input_node "z" : !nnet3.rows<70>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 70}
}

// 300 rows are added up as two stretches of 150, whose sums are added up then.
// CHECK-LABEL: func.func @many
// CHECK: call @matmul
// CHECK: call @[[PARTS:reduce_rows_[0-9]+]]
// CHECK: call @[[TOTALS:reduce_rows_[0-9]+]]
// CHECK-NEXT: return
nnet3.computation @many for @net {
  %x = nnet3.accept_input "x" : memref<300x4xf32>
  %dy = nnet3.accept_input "z" : memref<300x70xf32>
  nnet3.backprop @net::@affine in_value(%x : memref<300x4xf32>) out_deriv(%dy : memref<300x70xf32>) update
}

// Few rows are added up at once.
// CHECK-LABEL: func.func @few
// CHECK: call @matmul
// CHECK: call @[[FEW:reduce_rows_[0-9]+]]
// CHECK-NEXT: return
nnet3.computation @few for @net {
  %x = nnet3.accept_input "x" : memref<255x4xf32>
  %dy = nnet3.accept_input "z" : memref<255x70xf32>
  nnet3.backprop @net::@affine in_value(%x : memref<255x4xf32>) out_deriv(%dy : memref<255x70xf32>) update
}

// Three tiles of columns for each stretch; threads of a group have neighbouring
// columns, none behind the last one.
// CHECK: func.func private @[[PARTS]]
// CHECK: %[[ITEMS:.*]] = arith.constant 6 : index
// CHECK: scf.parallel {{.*}} to (%[[ITEMS]])
// CHECK:   memref.alloca() : memref<256xf32>
// CHECK:   scf.parallel (%[[THREAD:.*]]) =
// CHECK:     arith.remui %[[THREAD]], %c32
// CHECK:     arith.minsi
// CHECK:     arith.divui %[[THREAD]], %c32
// CHECK:     scf.for {{.*}} step %c8
// CHECK:       memref.load
// CHECK:       arith.addf
// CHECK:     memref.store {{.*}} %alloca
// CHECK:   scf.parallel
// CHECK-COUNT-8: memref.load %alloca
// CHECK-NOT: memref.load
// CHECK:     memref.store
// CHECK: func.func private @[[TOTALS]]
// CHECK: %[[ITEMS:.*]] = arith.constant 3 : index
// CHECK: scf.parallel {{.*}} to (%[[ITEMS]])
// CHECK: func.func private @[[FEW]]
// CHECK: %[[ITEMS:.*]] = arith.constant 3 : index
// CHECK: scf.parallel {{.*}} to (%[[ITEMS]])

// GPU: gpu.func @reduce_rows_
// GPU-SAME: workgroup(%[[SUMS:.*]] : memref<256xf32, #gpu.address_space<workgroup>>)
// GPU-SAME: known_block_size = array<i32: 256, 1, 1>
// GPU: memref.store %{{.*}}, %[[SUMS]]
// GPU: gpu.barrier
// GPU: memref.load %[[SUMS]]
// GPU-NOT: all_reduce

// PTX: .shared

// Blocks that run one after the other have the same memory.
// CPU: llvm.func @reduce_rows_
// CPU: llvm.alloca
// CPU: llvm.br ^bb1
