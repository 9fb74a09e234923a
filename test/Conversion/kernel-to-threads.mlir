// RUN: nnet3-opt --convert-kernel-to-threads %s | FileCheck %s

// The code of a kernel becomes that of the function.
// CHECK-LABEL: func.func @launch
// CHECK-SAME: (%[[ARENA:.*]]: memref<288xf32>, %[[AT:.*]]: index) attributes {kernel.block = #kernel.block<threads = 64, warps = true, form = apart>}
// CHECK-NEXT: %[[V:.*]] = memref.load %[[ARENA]][%[[AT]]]
// CHECK-NEXT: memref.store %[[V]], %[[ARENA]][%[[AT]]]
// CHECK-NOT: kernel.
func.func @launch(%arena: memref<288xf32>, %at: index) {
  kernel.launch "load" ins(%arena, %at : memref<288xf32>, index) threads 64 warps form apart {
  ^bb0(%memory: memref<288xf32>, %begin: index):
    %v = memref.load %memory[%begin] : memref<288xf32>
    memref.store %v, %memory[%begin] : memref<288xf32>
    kernel.yield
  }
  return
}

// The runtime executes matmuls and steps of training.
// CHECK-LABEL: func.func @matmul
// CHECK: kernel.matmul nt
// CHECK-NEXT: return
func.func @matmul(%arena: memref<4800xf32>, %weights: memref<4800xf32>, %at: index) {
  %w = memref.reinterpret_cast %weights to offset: [%at], sizes: [32, 20], strides: [20, 1] : memref<4800xf32> to memref<32x20xf32, strided<[20, 1], offset: ?>>
  %b = memref.reinterpret_cast %weights to offset: [%at], sizes: [32], strides: [1] : memref<4800xf32> to memref<32xf32, strided<[1], offset: ?>>
  %x = memref.reinterpret_cast %arena to offset: [%at], sizes: [2, 36, 20], strides: [720, 20, 1] : memref<4800xf32> to memref<2x36x20xf32, strided<[720, 20, 1], offset: ?>>
  %y = memref.reinterpret_cast %arena to offset: [%at], sizes: [2, 36, 32], strides: [1152, 32, 1] : memref<4800xf32> to memref<2x36x32xf32, strided<[1152, 32, 1], offset: ?>>
  kernel.matmul nt weights(%w : memref<32x20xf32, strided<[20, 1], offset: ?>>) ins(%x : memref<2x36x20xf32, strided<[720, 20, 1], offset: ?>>) outs(%y : memref<2x36x32xf32, strided<[1152, 32, 1], offset: ?>>) bias(%b : memref<32xf32, strided<[1], offset: ?>>) beta 5.000000e-01 precision bf16 form fused
  return
}

// CHECK-LABEL: func.func @precondition
// CHECK: kernel.precondition
// CHECK-NEXT: return
func.func @precondition(%arena: memref<288xf32>, %at: index) {
  %x = memref.reinterpret_cast %arena to offset: [%at], sizes: [12, 20], strides: [24, 1] : memref<288xf32> to memref<12x20xf32, strided<[24, 1], offset: ?>>
  kernel.precondition %x component "affine1" number 3 part 1 two_sided : memref<12x20xf32, strided<[24, 1], offset: ?>>
  return
}

// CHECK-LABEL: func.func @objectives
// CHECK-NEXT: kernel.compute_objectives
// CHECK-NEXT: return
func.func @objectives() {
  kernel.compute_objectives
  return
}

// A thread keeps the sum of a column over a range, if there is one.
// CHECK-LABEL: func.func @ranges
// CHECK-SAME: kernel.block = #kernel.block<threads = 32
// CHECK: scf.parallel (%{{.*}}, %{{.*}}) = {{.*}} to (%c2{{.*}}, %c1
// CHECK-COUNT-2: memref.load %arg1
// CHECK: scf.if
// CHECK: scf.parallel
// CHECK: scf.for {{.*}} step %c8{{.*}} iter_args
// CHECK: arith.mulf
// CHECK: memref.store
func.func @ranges(%arena: memref<288xf32>, %table: memref<7xi32>, %begin: index, %end: index, %at: index) {
  %y = memref.reinterpret_cast %arena to offset: [%at], sizes: [2, 4], strides: [4, 1] : memref<288xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
  kernel.add_row_ranges %arena, %table[%begin to %end] step 8 alpha 5.000000e-01 outs(%y) : memref<288xf32>, memref<7xi32>, memref<2x4xf32, strided<[4, 1], offset: ?>>
  return
}
