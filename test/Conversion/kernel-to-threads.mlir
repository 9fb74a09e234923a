// RUN: nnet3-opt --convert-kernel-to-threads %s | FileCheck %s

// The code of a kernel becomes that of the function.
// CHECK-LABEL: func.func @launch
// CHECK-SAME: (%[[ARENA:.*]]: memref<288xf32>, %[[AT:.*]]: index) attributes {nnet3.form = "apart", nnet3.threads = 64 : i64, nnet3.warps}
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

// Elements of views are elements of the memory.
// CHECK-LABEL: func.func @views
// CHECK-SAME: (%[[ARENA:.*]]: memref<288xf32>, %[[TABLE:.*]]: memref<7xi32>, %[[X:.*]]: index, %[[L:.*]]: index)
// CHECK: %[[ENTRY:.*]] = arith.addi %[[L]], %{{.*}} : index
// CHECK: memref.load %[[TABLE]][%[[ENTRY]]]
// CHECK: %[[ROW:.*]] = arith.muli %{{.*}}, %c4{{.*}} : index
// CHECK: %[[FIRST:.*]] = arith.addi %[[X]], %[[ROW]]
// CHECK: %[[PLACE:.*]] = arith.addi %[[FIRST]], %{{.*}} : index
// CHECK: memref.load %[[ARENA]][%[[PLACE]]]
// CHECK: memref.store %{{.*}}, %[[ARENA]]
// CHECK-NOT: strided
func.func @views(%arena: memref<288xf32>, %table: memref<7xi32>, %at: index, %first: index) {
  %x = memref.reinterpret_cast %arena to offset: [%at], sizes: [3, 4], strides: [4, 1] : memref<288xf32> to memref<3x4xf32, strided<[4, 1], offset: ?>>
  %l = memref.reinterpret_cast %table to offset: [%first], sizes: [3], strides: [1] : memref<7xi32> to memref<3xi32, strided<[1], offset: ?>>
  kernel.launch "gather" ins(%x, %l : memref<3x4xf32, strided<[4, 1], offset: ?>>, memref<3xi32, strided<[1], offset: ?>>) threads 32 {
  ^bb0(%rows: memref<3x4xf32, strided<[4, 1], offset: ?>>, %list: memref<3xi32, strided<[1], offset: ?>>):
    %c1 = arith.constant 1 : index
    %i = memref.load %list[%c1] : memref<3xi32, strided<[1], offset: ?>>
    %row = arith.index_cast %i : i32 to index
    %v = memref.load %rows[%row, %c1] : memref<3x4xf32, strided<[4, 1], offset: ?>>
    memref.store %v, %rows[%c1, %c1] : memref<3x4xf32, strided<[4, 1], offset: ?>>
    kernel.yield
  }
  return
}

// CHECK-LABEL: func.func @matmul
// CHECK-SAME: nnet3.form = "fused"
// CHECK-SAME: nnet3.product = {batches = 2 : i64, beta = 5.000000e-01 : f32, columns = 32 : i64, depth = 40 : i64, epilogue = 4 : i64, factor_type = 14 : i64, input_batch = 1440 : i64, input_stride = 40 : i64, output_batch = 1152 : i64, output_stride = 32 : i64, rows = 36 : i64, weights_stride = 40 : i64}
// CHECK: scf.parallel (%{{.*}}, %{{.*}}, %{{.*}}) = {{.*}} to (%c2, %c36, %c32)
// CHECK: scf.for
// CHECK-COUNT-2: arith.extf {{.*}} : bf16 to f32
// CHECK: memref.store
func.func @matmul(%arena: memref<4800xf32>, %weights: memref<4800xf32>, %at: index) {
  %w = memref.reinterpret_cast %weights to offset: [%at], sizes: [32, 20], strides: [20, 1] : memref<4800xf32> to memref<32x20xf32, strided<[20, 1], offset: ?>>
  %b = memref.reinterpret_cast %weights to offset: [%at], sizes: [32], strides: [1] : memref<4800xf32> to memref<32xf32, strided<[1], offset: ?>>
  %x = memref.reinterpret_cast %arena to offset: [%at], sizes: [2, 36, 20], strides: [720, 20, 1] : memref<4800xf32> to memref<2x36x20xf32, strided<[720, 20, 1], offset: ?>>
  %y = memref.reinterpret_cast %arena to offset: [%at], sizes: [2, 36, 32], strides: [1152, 32, 1] : memref<4800xf32> to memref<2x36x32xf32, strided<[1152, 32, 1], offset: ?>>
  kernel.matmul nt weights(%w : memref<32x20xf32, strided<[20, 1], offset: ?>>) ins(%x : memref<2x36x20xf32, strided<[720, 20, 1], offset: ?>>) outs(%y : memref<2x36x32xf32, strided<[1152, 32, 1], offset: ?>>) bias(%b : memref<32xf32, strided<[1], offset: ?>>) beta 5.000000e-01 precision bf16 form fused
  return
}

// CHECK-LABEL: func.func @precondition
// CHECK-SAME: nnet3.step = {columns = 20 : i64, component = "affine1", kind = "precondition", number = 3 : i64, part = 1 : i64, rows = 12 : i64, stride = 24 : i64, two_sided = true}
// CHECK-NEXT: return
func.func @precondition(%arena: memref<288xf32>, %at: index) {
  %x = memref.reinterpret_cast %arena to offset: [%at], sizes: [12, 20], strides: [24, 1] : memref<288xf32> to memref<12x20xf32, strided<[24, 1], offset: ?>>
  kernel.precondition %x component "affine1" number 3 part 1 two_sided : memref<12x20xf32, strided<[24, 1], offset: ?>>
  return
}

// CHECK-LABEL: func.func @objectives
// CHECK-SAME: nnet3.step = {kind = "objective"}
func.func @objectives() {
  kernel.compute_objectives
  return
}

// A thread keeps the sum of a column over a range, if there is one.
// CHECK-LABEL: func.func @ranges
// CHECK-SAME: nnet3.threads = 32 : i64
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
