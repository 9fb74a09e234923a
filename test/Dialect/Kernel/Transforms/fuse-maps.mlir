// RUN: nnet3-opt --kernel-fuse-maps %s | FileCheck %s

// The second map reads what the first one writes: the value is at hand. Both
// outputs are written once, and what both read is loaded once.
// CHECK-LABEL: func.func @chain
// CHECK: %[[X:.*]] = memref.reinterpret_cast %arg0 to offset: [0]
// CHECK: %[[Y:.*]] = memref.reinterpret_cast %arg0 to offset: [8]
// CHECK: %[[Z:.*]] = memref.reinterpret_cast %arg0 to offset: [16]
// CHECK: kernel.map ins(%[[X]] : {{.*}}) outs(%[[Y]], %[[Z]] : {{.*}}) {
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32):
// CHECK-NEXT: %[[P:.*]] = math.absf %[[A]]
// CHECK-NEXT: %[[Q:.*]] = arith.mulf %[[P]], %[[A]]
// CHECK-NEXT: kernel.yield %[[P]], %[[Q]]
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @chain(%arena: memref<96xf32>) {
  %x = memref.reinterpret_cast %arena to offset: [0], sizes: [2, 4], strides: [4, 1] : memref<96xf32> to memref<2x4xf32, strided<[4, 1]>>
  %y = memref.reinterpret_cast %arena to offset: [8], sizes: [2, 4], strides: [4, 1] : memref<96xf32> to memref<2x4xf32, strided<[4, 1], offset: 8>>
  kernel.map ins(%x : memref<2x4xf32, strided<[4, 1]>>) outs(%y : memref<2x4xf32, strided<[4, 1], offset: 8>>) {
  ^bb0(%a: f32):
    %p = math.absf %a : f32
    kernel.yield %p : f32
  }
  %z = memref.reinterpret_cast %arena to offset: [16], sizes: [2, 4], strides: [4, 1] : memref<96xf32> to memref<2x4xf32, strided<[4, 1], offset: 16>>
  kernel.map ins(%y, %x : memref<2x4xf32, strided<[4, 1], offset: 8>>, memref<2x4xf32, strided<[4, 1]>>) outs(%z : memref<2x4xf32, strided<[4, 1], offset: 16>>) {
  ^bb0(%a: f32, %b: f32):
    %q = arith.mulf %a, %b : f32
    kernel.yield %q : f32
  }
  return
}

// What is written and then added to is written once, with the sum.
// CHECK-LABEL: func.func @accumulate
// CHECK: kernel.map ins(%{{[^,]*}} : {{.*}}) outs(%{{[^,]*}} : {{.*}}) {
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32):
// CHECK-NEXT: %[[C:.*]] = arith.constant 1.0
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[C]], %[[A]]
// CHECK-NEXT: kernel.yield %[[S]]
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @accumulate(%arena: memref<96xf32>) {
  %x = memref.reinterpret_cast %arena to offset: [0], sizes: [2, 4], strides: [4, 1] : memref<96xf32> to memref<2x4xf32, strided<[4, 1]>>
  %y = memref.reinterpret_cast %arena to offset: [8], sizes: [2, 4], strides: [4, 1] : memref<96xf32> to memref<2x4xf32, strided<[4, 1], offset: 8>>
  kernel.map outs(%y : memref<2x4xf32, strided<[4, 1], offset: 8>>) {
    %c = arith.constant 1.0 : f32
    kernel.yield %c : f32
  }
  kernel.map ins(%x : memref<2x4xf32, strided<[4, 1]>>) outs(%y : memref<2x4xf32, strided<[4, 1], offset: 8>>) accumulate {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  return
}

// Columns beside each other in the same rows are apart; columns that overlap,
// rows that another thread writes, other shapes and alignments, rows in tables
// and offsets that are not known are not.
// CHECK-LABEL: func.func @others
func.func @others(%arena: memref<96xf32>, %table: memref<8xi32>, %at: index) {
  %all = memref.reinterpret_cast %arena to offset: [0], sizes: [4, 8], strides: [8, 1] : memref<96xf32> to memref<4x8xf32, strided<[8, 1]>>
  %left = memref.subview %all[0, 0] [4, 4] [1, 1] : memref<4x8xf32, strided<[8, 1]>> to memref<4x4xf32, strided<[8, 1]>>
  %right = memref.subview %all[0, 4] [4, 4] [1, 1] : memref<4x8xf32, strided<[8, 1]>> to memref<4x4xf32, strided<[8, 1], offset: 4>>
  %middle = memref.subview %all[0, 2] [4, 4] [1, 1] : memref<4x8xf32, strided<[8, 1]>> to memref<4x4xf32, strided<[8, 1], offset: 2>>
  %next = memref.reinterpret_cast %arena to offset: [8], sizes: [4, 4], strides: [8, 1] : memref<96xf32> to memref<4x4xf32, strided<[8, 1], offset: 8>>
  %y = memref.reinterpret_cast %arena to offset: [48], sizes: [4, 4], strides: [4, 1] : memref<96xf32> to memref<4x4xf32, strided<[4, 1], offset: 48>>
  %z = memref.reinterpret_cast %arena to offset: [64], sizes: [4, 4], strides: [4, 1] : memref<96xf32> to memref<4x4xf32, strided<[4, 1], offset: 64>>
  %unknown = memref.reinterpret_cast %arena to offset: [%at], sizes: [4, 4], strides: [4, 1] : memref<96xf32> to memref<4x4xf32, strided<[4, 1], offset: ?>>
  %rows = kernel.indexed_rows %arena, %table[%at] : memref<96xf32>, memref<8xi32> to !kernel.rows<4x4>
  // CHECK: kernel.map outs(%{{[^,]*}}, %{{[^,]*}} : memref<4x4xf32, strided<[8, 1]>>, memref<4x4xf32, strided<[8, 1], offset: 4>>)
  kernel.map outs(%left : memref<4x4xf32, strided<[8, 1]>>) {
    %c = arith.constant 1.0 : f32
    kernel.yield %c : f32
  }
  kernel.map ins(%left : memref<4x4xf32, strided<[8, 1]>>) outs(%right : memref<4x4xf32, strided<[8, 1], offset: 4>>) {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  // CHECK: kernel.map ins(%{{[^,]*}} : memref<4x4xf32, strided<[8, 1], offset: 2>>)
  kernel.map ins(%middle : memref<4x4xf32, strided<[8, 1], offset: 2>>) outs(%y : memref<4x4xf32, strided<[4, 1], offset: 48>>) {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  // CHECK: kernel.map outs(%{{[^,]*}} : memref<4x4xf32, strided<[8, 1]>>) alignment 4
  kernel.map outs(%left : memref<4x4xf32, strided<[8, 1]>>) alignment 4 {
    %c = arith.constant 1.0 : f32
    kernel.yield %c : f32
  }
  // CHECK: kernel.map ins(%{{[^,]*}} : memref<4x4xf32, strided<[8, 1], offset: 8>>)
  kernel.map ins(%next : memref<4x4xf32, strided<[8, 1], offset: 8>>) outs(%y : memref<4x4xf32, strided<[4, 1], offset: 48>>) alignment 4 {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  // CHECK: kernel.map ins(%{{[^,]*}} : !kernel.rows<4x4>)
  kernel.map ins(%rows : !kernel.rows<4x4>) outs(%z : memref<4x4xf32, strided<[4, 1], offset: 64>>) alignment 4 {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  // CHECK: kernel.map outs(%{{[^,]*}} : memref<4x4xf32, strided<[4, 1], offset: ?>>)
  kernel.map outs(%unknown : memref<4x4xf32, strided<[4, 1], offset: ?>>) {
    %c = arith.constant 1.0 : f32
    kernel.yield %c : f32
  }
  // CHECK: kernel.map {{.*}} form apart
  // CHECK-NOT: kernel.map
  // CHECK: return
  kernel.map outs(%y : memref<4x4xf32, strided<[4, 1], offset: 48>>) form apart {
    %c = arith.constant 1.0 : f32
    kernel.yield %c : f32
  }
  return
}

// A map with half of the columns of a product has both of its blocks.
// CHECK-LABEL: func.func @blocks
// CHECK: kernel.gemv rows(%{{[^,]*}} : memref<1x4xf32{{.*}}) weights(%{{[^,]*}} : memref<8x4xf32, {{.*}}) ins(%{{[^,]*}}, %{{[^,]*}} : memref<4xf32, {{.*}}, memref<4xf32, {{.*}}) outs(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}} : memref<1x4xf32, {{.*}}>, memref<1x4xf32, {{.*}}>, memref<1x4xf32, {{.*}}>) alignment 4 {
// CHECK-NEXT: ^bb0(%[[S:.*]]: f32, %[[T:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32):
// CHECK-NEXT: %[[P:.*]] = arith.addf %[[S]], %[[B]]
// CHECK-NEXT: %[[Q:.*]] = arith.addf %[[T]], %[[C]]
// CHECK-NEXT: %[[R:.*]] = arith.mulf %[[P]], %[[Q]]
// CHECK-NEXT: kernel.yield %[[P]], %[[Q]], %[[R]]
// CHECK: return
func.func @blocks(%arena: memref<96xf32>, %weights: memref<96xf32>) {
  %x = memref.reinterpret_cast %arena to offset: [0], sizes: [1, 4], strides: [4, 1] : memref<96xf32> to memref<1x4xf32, strided<[4, 1]>>
  %y = memref.reinterpret_cast %arena to offset: [8], sizes: [1, 8], strides: [8, 1] : memref<96xf32> to memref<1x8xf32, strided<[8, 1], offset: 8>>
  %w = memref.reinterpret_cast %weights to offset: [0], sizes: [8, 4], strides: [4, 1] : memref<96xf32> to memref<8x4xf32, strided<[4, 1]>>
  %b = memref.reinterpret_cast %weights to offset: [32], sizes: [8], strides: [1] : memref<96xf32> to memref<8xf32, strided<[1], offset: 32>>
  kernel.gemv rows(%x : memref<1x4xf32, strided<[4, 1]>>) weights(%w : memref<8x4xf32, strided<[4, 1]>>) ins(%b : memref<8xf32, strided<[1], offset: 32>>) outs(%y : memref<1x8xf32, strided<[8, 1], offset: 8>>) alignment 4 {
  ^bb0(%s: f32, %bias: f32):
    %p = arith.addf %s, %bias : f32
    kernel.yield %p : f32
  }
  %y0 = memref.subview %y[0, 0] [1, 4] [1, 1] : memref<1x8xf32, strided<[8, 1], offset: 8>> to memref<1x4xf32, strided<[8, 1], offset: 8>>
  %y1 = memref.subview %y[0, 4] [1, 4] [1, 1] : memref<1x8xf32, strided<[8, 1], offset: 8>> to memref<1x4xf32, strided<[8, 1], offset: 12>>
  %z = memref.reinterpret_cast %arena to offset: [16], sizes: [1, 4], strides: [4, 1] : memref<96xf32> to memref<1x4xf32, strided<[4, 1], offset: 16>>
  kernel.map ins(%y0, %y1 : memref<1x4xf32, strided<[8, 1], offset: 8>>, memref<1x4xf32, strided<[8, 1], offset: 12>>) outs(%z : memref<1x4xf32, strided<[4, 1], offset: 16>>) {
  ^bb0(%a: f32, %b0: f32):
    %r = arith.mulf %a, %b0 : f32
    kernel.yield %r : f32
  }
  return
}

// What follows a product may not write the row that all threads read.
// CHECK-LABEL: func.func @input_written
// CHECK: kernel.gemv
// CHECK: kernel.map
func.func @input_written(%arena: memref<96xf32>, %weights: memref<96xf32>) {
  %x = memref.reinterpret_cast %arena to offset: [0], sizes: [1, 4], strides: [4, 1] : memref<96xf32> to memref<1x4xf32, strided<[4, 1]>>
  %y = memref.reinterpret_cast %arena to offset: [8], sizes: [1, 4], strides: [4, 1] : memref<96xf32> to memref<1x4xf32, strided<[4, 1], offset: 8>>
  %w = memref.reinterpret_cast %weights to offset: [0], sizes: [4, 4], strides: [4, 1] : memref<96xf32> to memref<4x4xf32, strided<[4, 1]>>
  kernel.gemv rows(%x : memref<1x4xf32, strided<[4, 1]>>) weights(%w : memref<4x4xf32, strided<[4, 1]>>) outs(%y : memref<1x4xf32, strided<[4, 1], offset: 8>>) {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  kernel.map ins(%y : memref<1x4xf32, strided<[4, 1], offset: 8>>) outs(%x : memref<1x4xf32, strided<[4, 1]>>) {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  return
}

// Sixteen offsets are enough for a kernel: the last two of nine copies are a
// map of their own.
// CHECK-LABEL: func.func @offsets
// CHECK: kernel.map
// CHECK: kernel.map
// CHECK-NOT: kernel.map
func.func @offsets(%arena: memref<96xf32>) {
  %0 = memref.reinterpret_cast %arena to offset: [0], sizes: [1, 4], strides: [4, 1] : memref<96xf32> to memref<1x4xf32, strided<[4, 1]>>
  %1 = memref.reinterpret_cast %arena to offset: [4], sizes: [1, 4], strides: [4, 1] : memref<96xf32> to memref<1x4xf32, strided<[4, 1], offset: 4>>
  %2 = memref.reinterpret_cast %arena to offset: [8], sizes: [1, 4], strides: [4, 1] : memref<96xf32> to memref<1x4xf32, strided<[4, 1], offset: 8>>
  %3 = memref.reinterpret_cast %arena to offset: [12], sizes: [1, 4], strides: [4, 1] : memref<96xf32> to memref<1x4xf32, strided<[4, 1], offset: 12>>
  %4 = memref.reinterpret_cast %arena to offset: [16], sizes: [1, 4], strides: [4, 1] : memref<96xf32> to memref<1x4xf32, strided<[4, 1], offset: 16>>
  %5 = memref.reinterpret_cast %arena to offset: [20], sizes: [1, 4], strides: [4, 1] : memref<96xf32> to memref<1x4xf32, strided<[4, 1], offset: 20>>
  %6 = memref.reinterpret_cast %arena to offset: [24], sizes: [1, 4], strides: [4, 1] : memref<96xf32> to memref<1x4xf32, strided<[4, 1], offset: 24>>
  %7 = memref.reinterpret_cast %arena to offset: [28], sizes: [1, 4], strides: [4, 1] : memref<96xf32> to memref<1x4xf32, strided<[4, 1], offset: 28>>
  %8 = memref.reinterpret_cast %arena to offset: [32], sizes: [1, 4], strides: [4, 1] : memref<96xf32> to memref<1x4xf32, strided<[4, 1], offset: 32>>
  %9 = memref.reinterpret_cast %arena to offset: [36], sizes: [1, 4], strides: [4, 1] : memref<96xf32> to memref<1x4xf32, strided<[4, 1], offset: 36>>
  %10 = memref.reinterpret_cast %arena to offset: [40], sizes: [1, 4], strides: [4, 1] : memref<96xf32> to memref<1x4xf32, strided<[4, 1], offset: 40>>
  %11 = memref.reinterpret_cast %arena to offset: [44], sizes: [1, 4], strides: [4, 1] : memref<96xf32> to memref<1x4xf32, strided<[4, 1], offset: 44>>
  %12 = memref.reinterpret_cast %arena to offset: [48], sizes: [1, 4], strides: [4, 1] : memref<96xf32> to memref<1x4xf32, strided<[4, 1], offset: 48>>
  %13 = memref.reinterpret_cast %arena to offset: [52], sizes: [1, 4], strides: [4, 1] : memref<96xf32> to memref<1x4xf32, strided<[4, 1], offset: 52>>
  %14 = memref.reinterpret_cast %arena to offset: [56], sizes: [1, 4], strides: [4, 1] : memref<96xf32> to memref<1x4xf32, strided<[4, 1], offset: 56>>
  %15 = memref.reinterpret_cast %arena to offset: [60], sizes: [1, 4], strides: [4, 1] : memref<96xf32> to memref<1x4xf32, strided<[4, 1], offset: 60>>
  %16 = memref.reinterpret_cast %arena to offset: [64], sizes: [1, 4], strides: [4, 1] : memref<96xf32> to memref<1x4xf32, strided<[4, 1], offset: 64>>
  %17 = memref.reinterpret_cast %arena to offset: [68], sizes: [1, 4], strides: [4, 1] : memref<96xf32> to memref<1x4xf32, strided<[4, 1], offset: 68>>
  kernel.map ins(%0 : memref<1x4xf32, strided<[4, 1]>>) outs(%9 : memref<1x4xf32, strided<[4, 1], offset: 36>>) {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.map ins(%1 : memref<1x4xf32, strided<[4, 1], offset: 4>>) outs(%10 : memref<1x4xf32, strided<[4, 1], offset: 40>>) {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.map ins(%2 : memref<1x4xf32, strided<[4, 1], offset: 8>>) outs(%11 : memref<1x4xf32, strided<[4, 1], offset: 44>>) {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.map ins(%3 : memref<1x4xf32, strided<[4, 1], offset: 12>>) outs(%12 : memref<1x4xf32, strided<[4, 1], offset: 48>>) {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.map ins(%4 : memref<1x4xf32, strided<[4, 1], offset: 16>>) outs(%13 : memref<1x4xf32, strided<[4, 1], offset: 52>>) {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.map ins(%5 : memref<1x4xf32, strided<[4, 1], offset: 20>>) outs(%14 : memref<1x4xf32, strided<[4, 1], offset: 56>>) {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.map ins(%6 : memref<1x4xf32, strided<[4, 1], offset: 24>>) outs(%15 : memref<1x4xf32, strided<[4, 1], offset: 60>>) {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.map ins(%7 : memref<1x4xf32, strided<[4, 1], offset: 28>>) outs(%16 : memref<1x4xf32, strided<[4, 1], offset: 64>>) {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.map ins(%8 : memref<1x4xf32, strided<[4, 1], offset: 32>>) outs(%17 : memref<1x4xf32, strided<[4, 1], offset: 68>>) {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  return
}
