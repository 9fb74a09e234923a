// RUN: nnet3-opt --kernel-set-target=cpu=x86-64-v4 --convert-kernel-to-vector %s | FileCheck %s
// RUN: nnet3-opt --nnet3-compile --nnet3-number-draws --kernel-set-target=cpu=x86-64-v4 \
// RUN:   --convert-nnet3-to-kernels=training %S/Inputs/batch-norm.mlir | FileCheck --check-prefix=NORM %s

// Of the prefetches of a vector's elements one is left.
// CHECK-LABEL: func.func private @stage
// CHECK: scf.for %[[FIRST:.*]] = %{{.*}} to %{{.*}} step %c16
// CHECK: %[[NEXT:.*]] = arith.addi %{{.*}}, %[[FIRST]] overflow<nsw> : index
// CHECK-NEXT: memref.prefetch %{{.*}}[%[[NEXT]]], read, locality<3>, data : memref<288xf32>
// CHECK-NOT: memref.prefetch
// CHECK: vector.load %{{.*}} : memref<288xf32>, vector<16xf32>
// CHECK-NOT: memref.prefetch
func.func private @stage(%arena: memref<288xf32>, %weights: memref<288xf32>, %tables: memref<1xi32>, %context: !llvm.ptr, %at: index, %to: index) {
  %x = memref.reinterpret_cast %arena to offset: [%at], sizes: [3, 32], strides: [32, 1] : memref<288xf32> to memref<3x32xf32, strided<[32, 1], offset: ?>>
  %y = memref.reinterpret_cast %arena to offset: [%to], sizes: [3, 32], strides: [32, 1] : memref<288xf32> to memref<3x32xf32, strided<[32, 1], offset: ?>>
  kernel.launch "stage" ins(%x, %y : memref<3x32xf32, strided<[32, 1], offset: ?>>, memref<3x32xf32, strided<[32, 1], offset: ?>>) threads 32 {
  ^bb0(%from: memref<3x32xf32, strided<[32, 1], offset: ?>>, %dest: memref<3x32xf32, strided<[32, 1], offset: ?>>):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    scf.parallel (%c) = (%c0) to (%c32) step (%c1) {
      memref.prefetch %from[%c2, %c], read, locality<3>, data : memref<3x32xf32, strided<[32, 1], offset: ?>>
      %e = memref.load %from[%c1, %c] : memref<3x32xf32, strided<[32, 1], offset: ?>>
      memref.store %e, %dest[%c1, %c] : memref<3x32xf32, strided<[32, 1], offset: ?>>
    }
    kernel.yield
  }
  return
}

// Batch norm reads few cache lines of each row, and prefetches rows that follow:
// in the forward pass the input, in the backward pass the derivative and the
// output.
// NORM: memref.prefetch
// NORM: memref.load
// NORM: memref.prefetch
// NORM-NEXT: memref.prefetch
// NORM-NOT: memref.prefetch
