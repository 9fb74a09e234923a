// RUN: nnet3-opt --convert-kernel-to-vector %s | FileCheck %s

module attributes {kernel.target = #kernel.target<vector_bits = 128, vector_registers = 32, scalable_bits = 64>} {

// Whole vectors, then with a mask what is left.
// CHECK-LABEL: func.func @map
// CHECK: %[[SCALE:.*]] = vector.vscale
// CHECK: %[[LENGTH:.*]] = arith.muli %[[SCALE]], %c2
// CHECK: %[[REST:.*]] = arith.remui %[[END:.*]], %[[LENGTH]]
// CHECK: %[[WHOLE:.*]] = arith.subi %[[END]], %[[REST]]
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %[[WHOLE]] step %[[LENGTH]]
// CHECK: vector.load %arg0{{.*}} vector<[2]xf32>
// CHECK: vector.store {{.*}} vector<[2]xf32>
// CHECK: scf.for %[[COLUMN:.*]] = %[[WHOLE]] to %[[END]] step %[[LENGTH]]
// CHECK: %[[LEFT:.*]] = arith.subi %[[END]], %[[COLUMN]]
// CHECK: %[[MASK:.*]] = vector.create_mask %[[LEFT]] : vector<[2]xi1>
// CHECK: vector.maskedload {{.*}} %[[MASK]]
// CHECK: vector.maskedstore {{.*}} %[[MASK]]
func.func @map(%arena: memref<96xf32>, %at: index) {
  %y = memref.reinterpret_cast %arena to offset: [%at], sizes: [4, 22], strides: [22, 1] : memref<96xf32> to memref<4x22xf32, strided<[22, 1], offset: ?>>
  kernel.map ins(%y : memref<4x22xf32, strided<[22, 1], offset: ?>>) outs(%y : memref<4x22xf32, strided<[22, 1], offset: ?>>) {
  ^bb0(%a: f32):
    %s = math.tanh %a : f32
    kernel.yield %s : f32
  }
  return
}

// No more columns than each machine's vectors have, and a vector that is read
// again: vectors of one length.
// CHECK-LABEL: func.func @fixed
// CHECK-NOT: vector<[
// CHECK: return
func.func @fixed(%arena: memref<96xf32>, %weights: memref<16xf32>, %at: index) {
  %x = memref.reinterpret_cast %arena to offset: [%at], sizes: [4, 4], strides: [22, 1] : memref<96xf32> to memref<4x4xf32, strided<[22, 1], offset: ?>>
  %y = memref.reinterpret_cast %arena to offset: [%at], sizes: [4, 22], strides: [22, 1] : memref<96xf32> to memref<4x22xf32, strided<[22, 1], offset: ?>>
  %two = memref.reinterpret_cast %weights to offset: [%at], sizes: [2], strides: [1] : memref<16xf32> to memref<2xf32, strided<[1], offset: ?>>
  kernel.map ins(%x : memref<4x4xf32, strided<[22, 1], offset: ?>>) outs(%x : memref<4x4xf32, strided<[22, 1], offset: ?>>) {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.map ins(%two : memref<2xf32, strided<[1], offset: ?>>) outs(%y : memref<4x22xf32, strided<[22, 1], offset: ?>>) {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  return
}

// Independent columns are scalable. Sums over columns are not: their order is
// the same on all machines. Columns that are not neighbours are not, either.
// CHECK-LABEL: func.func @rows
// CHECK: scf.for {{.*}} -> (vector<4xf64>)
// CHECK: arith.addf {{.*}} : vector<2xf64>
// CHECK: vector.load {{.*}} vector<[2]xf32>
// CHECK: arith.mulf {{.*}} : vector<[2]xf32>
// CHECK: vector.store {{.*}} vector<[2]xf32>
// CHECK: vector.maskedstore {{.*}} vector<[2]xf32>
// CHECK: vector.from_elements {{.*}} : vector<4xf32>
func.func @rows(%arena: memref<96xf32>, %at: index) {
  %x = memref.reinterpret_cast %arena to offset: [%at], sizes: [3, 44], strides: [44, 1] : memref<96xf32> to memref<3x44xf32, strided<[44, 1], offset: ?>>
  %y = memref.reinterpret_cast %arena to offset: [%at], sizes: [3, 22], strides: [22, 1] : memref<96xf32> to memref<3x22xf32, strided<[22, 1], offset: ?>>
  kernel.map_rows ins(%x : memref<3x44xf32, strided<[44, 1], offset: ?>>) outs(%y : memref<3x22xf32, strided<[22, 1], offset: ?>>) {
  ^bb0(%part: index, %from: memref<44xf32, strided<[1], offset: ?>>, %to: memref<22xf32, strided<[1], offset: ?>>):
    %c2 = arith.constant 2 : index
    %sum = kernel.reduce_columns add 44 {
    ^bb0(%c: index):
      %a = memref.load %from[%c] : memref<44xf32, strided<[1], offset: ?>>
      kernel.yield %a : f32
    }
    kernel.for_columns [22] {
    ^bb0(%c: index):
      %a = memref.load %from[%c] : memref<44xf32, strided<[1], offset: ?>>
      %s = arith.mulf %a, %sum : f32
      memref.store %s, %to[%c] : memref<22xf32, strided<[1], offset: ?>>
      kernel.yield
    }
    kernel.for_columns [22] {
    ^bb0(%c: index):
      %even = arith.muli %c, %c2 : index
      %a = memref.load %from[%even] : memref<44xf32, strided<[1], offset: ?>>
      memref.store %a, %to[%c] : memref<22xf32, strided<[1], offset: ?>>
      kernel.yield
    }
    kernel.yield
  }
  return
}

}
