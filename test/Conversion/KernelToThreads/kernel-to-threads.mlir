// RUN: nnet3-opt --convert-kernel-to-threads %s | FileCheck %s

// The code of a kernel becomes that of the function.
// CHECK-LABEL: func.func @launch
// CHECK-SAME: (%[[ARENA:.*]]: memref<288xf32>, %[[AT:.*]]: index) attributes {kernel.block = #kernel.block<threads = 64>}
// CHECK-NEXT: %[[V:.*]] = memref.load %[[ARENA]][%[[AT]]]
// CHECK-NEXT: memref.store %[[V]], %[[ARENA]][%[[AT]]]
// CHECK-NOT: kernel.
func.func @launch(%arena: memref<288xf32>, %at: index) {
  kernel.launch "load" ins(%arena, %at : memref<288xf32>, index) threads 64 {
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

// CHECK-LABEL: func.func @sum
// CHECK: kernel.sum_gradient
// CHECK-NEXT: return
func.func @sum(%arena: memref<288xf32>, %at: index) {
  %x = memref.reinterpret_cast %arena to offset: [%at], sizes: [12, 20], strides: [20, 1] : memref<288xf32> to memref<12x20xf32, strided<[20, 1], offset: ?>>
  kernel.sum_gradient %x component "affine1" parameter "linear_params" : memref<12x20xf32, strided<[20, 1], offset: ?>>
  return
}

// CHECK-LABEL: func.func @objectives
// CHECK-NEXT: kernel.compute_objectives
// CHECK-NEXT: return
func.func @objectives() {
  kernel.compute_objectives
  return
}

// With enough elements each thread takes four columns at once, if rows begin at
// multiples of that; with few elements it takes one.
// CHECK-LABEL: func.func @much
// CHECK-SAME: kernel.block = #kernel.block<threads = 32, form = apart>
// CHECK: scf.parallel {{.*}} to (%c512{{.*}}, %c1{{[_0-9]*}})
// CHECK: scf.parallel {{.*}} to (%c16
// CHECK: vector.load {{.*}} {alignment = 16 : i64} : memref<40000xf32>, vector<4xf32>
// CHECK: math.absf {{.*}} : vector<4xf32>
// CHECK: vector.store {{.*}} {alignment = 16 : i64}
func.func @much(%arena: memref<40000xf32>, %at: index) {
  %x = memref.reinterpret_cast %arena to offset: [%at], sizes: [512, 64], strides: [64, 1] : memref<40000xf32> to memref<512x64xf32, strided<[64, 1], offset: ?>>
  kernel.map ins(%x : memref<512x64xf32, strided<[64, 1], offset: ?>>) outs(%x : memref<512x64xf32, strided<[64, 1], offset: ?>>) alignment 4 form apart {
  ^bb0(%a: f32):
    %b = math.absf %a : f32
    kernel.yield %b : f32
  }
  return
}

// A block of threads looks up where its row is. Vectors with fewer columns, and
// matrices with fewer rows, are read again.
// CHECK-LABEL: func.func @rows
// CHECK: scf.parallel (%[[ROW:.*]], %{{.*}}) =
// CHECK: arith.remui %[[ROW]], %c2
// CHECK: memref.load %arg2
// CHECK: scf.if
// CHECK: scf.parallel (%[[C:.*]]) =
// CHECK: arith.remui %[[C]], %c4
// CHECK: memref.store
// CHECK: else
// CHECK: scf.parallel
// CHECK: memref.store
func.func @rows(%arena: memref<288xf32>, %weights: memref<288xf32>, %table: memref<7xi32>, %at: index) {
  %x = kernel.indexed_rows %arena, %table[%at] : memref<288xf32>, memref<7xi32> to !kernel.rows<6x8>
  %i = memref.reinterpret_cast %arena to offset: [%at], sizes: [2, 8], strides: [8, 1] : memref<288xf32> to memref<2x8xf32, strided<[8, 1], offset: ?>>
  %v = memref.reinterpret_cast %weights to offset: [%at], sizes: [4], strides: [1] : memref<288xf32> to memref<4xf32, strided<[1], offset: ?>>
  %y = memref.reinterpret_cast %arena to offset: [%at], sizes: [6, 8], strides: [8, 1] : memref<288xf32> to memref<6x8xf32, strided<[8, 1], offset: ?>>
  kernel.map ins(%i, %x, %v : memref<2x8xf32, strided<[8, 1], offset: ?>>, !kernel.rows<6x8>, memref<4xf32, strided<[1], offset: ?>>) outs(%y : memref<6x8xf32, strided<[8, 1], offset: ?>>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = math.fma %a, %b, %c : f32
    kernel.yield %p : f32
  }
  return
}

// Row 5 of three groups of two rows is the second one of the last group.
// CHECK-LABEL: func.func @groups
// CHECK: scf.parallel (%[[ROW:.*]], %{{.*}}) =
// CHECK-DAG: %[[GROUP:.*]] = arith.divui %[[ROW]], %c2
// CHECK-DAG: %[[IN:.*]] = arith.remui %[[ROW]], %c2
// CHECK-DAG: arith.muli %[[GROUP]], %c40
// CHECK-DAG: arith.muli %[[IN]], %c8
func.func @groups(%arena: memref<288xf32>, %at: index) {
  %x = memref.reinterpret_cast %arena to offset: [%at], sizes: [3, 2, 8], strides: [40, 8, 1] : memref<288xf32> to memref<3x2x8xf32, strided<[40, 8, 1], offset: ?>>
  %y = memref.reinterpret_cast %arena to offset: [%at], sizes: [6, 8], strides: [8, 1] : memref<288xf32> to memref<6x8xf32, strided<[8, 1], offset: ?>>
  kernel.map ins(%x : memref<3x2x8xf32, strided<[40, 8, 1], offset: ?>>) outs(%y : memref<6x8xf32, strided<[8, 1], offset: ?>>) {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  return
}

// Four bytes are what a thread writes at once, however few there are.
// CHECK-LABEL: func.func @bytes
// CHECK: %[[X:.*]] = vector.load {{.*}} vector<4xf32>
// CHECK: %[[B:.*]] = arith.fptosi %[[X]] : vector<4xf32> to vector<4xi8>
// CHECK: %[[WORD:.*]] = vector.bitcast %[[B]] : vector<4xi8> to vector<1xf32>
// CHECK: vector.store %[[WORD]]
func.func @bytes(%arena: memref<288xf32>, %at: index) {
  %x = memref.reinterpret_cast %arena to offset: [%at], sizes: [2, 8], strides: [8, 1] : memref<288xf32> to memref<2x8xf32, strided<[8, 1], offset: ?>>
  %y = memref.reinterpret_cast %arena to offset: [%at], sizes: [2, 2], strides: [2, 1] : memref<288xf32> to memref<2x2xf32, strided<[2, 1], offset: ?>>
  %n = kernel.narrow %y : memref<2x2xf32, strided<[2, 1], offset: ?>> to memref<2x8xi8, strided<[8, 1], offset: ?>>
  kernel.map ins(%x : memref<2x8xf32, strided<[8, 1], offset: ?>>) outs(%n : memref<2x8xi8, strided<[8, 1], offset: ?>>) alignment 4 {
  ^bb0(%a: f32):
    %b = arith.fptosi %a : f32 to i8
    kernel.yield %b : i8
  }
  return
}

// A warp computes the sums of a column, of both rows. What does not depend on
// them is computed before the threads wait; then one thread goes on.
// CHECK-LABEL: func.func @gemv
// CHECK-SAME: kernel.block = #kernel.block<threads = 32, warps = true>
// CHECK: scf.parallel (%{{.*}}) = {{.*}} to (%c8
// CHECK: memref.load %arg1
// CHECK: math.exp
// CHECK: %[[S:.*]]:2 = scf.parallel {{.*}} to (%c5
// CHECK-COUNT-3: vector.load {{.*}} {alignment = 16 : i64}
// CHECK: %[[T:.*]]:2 = scf.parallel {{.*}} to (%c1
// CHECK: %[[SUM:.*]] = arith.addf %[[S]]#0, %[[T]]#0
// CHECK: %[[OTHER:.*]] = arith.addf %[[S]]#1, %[[T]]#1
// CHECK: scf.parallel {{.*}} to (%c1
// CHECK-NOT: memref.load
// CHECK: arith.mulf %[[SUM]], %[[OTHER]]
// CHECK: memref.store
func.func @gemv(%arena: memref<4800xf32>, %weights: memref<4800xf32>, %at: index) {
  %x = memref.reinterpret_cast %arena to offset: [%at], sizes: [1, 20], strides: [20, 1] : memref<4800xf32> to memref<1x20xf32, strided<[20, 1], offset: ?>>
  %u = memref.reinterpret_cast %arena to offset: [%at], sizes: [1, 4], strides: [4, 1] : memref<4800xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
  %w = memref.reinterpret_cast %weights to offset: [%at], sizes: [16, 20], strides: [24, 1] : memref<4800xf32> to memref<16x20xf32, strided<[24, 1], offset: ?>>
  %v = memref.reinterpret_cast %weights to offset: [%at], sizes: [16, 4], strides: [24, 1] : memref<4800xf32> to memref<16x4xf32, strided<[24, 1], offset: ?>>
  %b = memref.reinterpret_cast %weights to offset: [%at], sizes: [8], strides: [1] : memref<4800xf32> to memref<8xf32, strided<[1], offset: ?>>
  %y = memref.reinterpret_cast %arena to offset: [%at], sizes: [1, 8], strides: [8, 1] : memref<4800xf32> to memref<1x8xf32, strided<[8, 1], offset: ?>>
  kernel.gemv rows(%x, %u : memref<1x20xf32, strided<[20, 1], offset: ?>>, memref<1x4xf32, strided<[4, 1], offset: ?>>) weights(%w, %v : memref<16x20xf32, strided<[24, 1], offset: ?>>, memref<16x4xf32, strided<[24, 1], offset: ?>>) ins(%b : memref<8xf32, strided<[1], offset: ?>>) outs(%y : memref<1x8xf32, strided<[8, 1], offset: ?>>) alignment 4 {
  ^bb0(%s: f32, %t: f32, %bias: f32):
    %p = arith.mulf %s, %t : f32
    %e = math.exp %bias : f32
    %q = arith.addf %p, %e : f32
    kernel.yield %q : f32
  }
  return
}
