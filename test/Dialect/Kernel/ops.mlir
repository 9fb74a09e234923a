// RUN: nnet3-opt %s | nnet3-opt | FileCheck %s
// RUN: nnet3-opt --verify-roundtrip -o /dev/null %s

// CHECK: module attributes {kernel.target = #kernel.target<vector_length = 8, vector_registers = 16>}
module attributes {kernel.target = #kernel.target<vector_length = 8, vector_registers = 16>} {

// CHECK-LABEL: func.func @map
func.func @map(%arena: memref<96xf32>, %weights: memref<16xf32>, %table: memref<8xi32>, %at: index) {
  %x = memref.reinterpret_cast %arena to offset: [%at], sizes: [6, 4], strides: [4, 1] : memref<96xf32> to memref<6x4xf32, strided<[4, 1], offset: ?>>
  %first = memref.subview %x[0, 0] [2, 4] [1, 1] : memref<6x4xf32, strided<[4, 1], offset: ?>> to memref<2x4xf32, strided<[4, 1], offset: ?>>
  %column = memref.subview %x[0, 3] [6, 1] [1, 1] : memref<6x4xf32, strided<[4, 1], offset: ?>> to memref<6x1xf32, strided<[4, 1], offset: ?>>
  %scale = memref.reinterpret_cast %weights to offset: [%at], sizes: [4], strides: [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
  // CHECK: %[[ROWS:.*]] = kernel.indexed_rows %{{.*}}, %{{.*}}[%{{.*}}] : memref<96xf32>, memref<8xi32> to <6x4>
  %rows = kernel.indexed_rows %arena, %table[%at] : memref<96xf32>, memref<8xi32> to !kernel.rows<6x4>
  // CHECK: kernel.map ins(%{{.*}}, %[[ROWS]], %{{.*}}, %{{.*}} : memref<2x4xf32, {{.*}}>, !kernel.rows<6x4>, memref<6x1xf32, {{.*}}>, memref<4xf32, {{.*}}>) outs(%{{.*}} : memref<6x4xf32, {{.*}}>) {
  // CHECK: kernel.yield %{{.*}} : f32
  kernel.map ins(%first, %rows, %column, %scale : memref<2x4xf32, strided<[4, 1], offset: ?>>, !kernel.rows<6x4>, memref<6x1xf32, strided<[4, 1], offset: ?>>, memref<4xf32, strided<[1], offset: ?>>) outs(%x : memref<6x4xf32, strided<[4, 1], offset: ?>>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    %p = arith.mulf %a, %b : f32
    %q = math.fma %c, %d, %p : f32
    kernel.yield %q : f32
  }
  // CHECK: kernel.map outs(%[[ROWS]] : !kernel.rows<6x4>) accumulate {
  // CHECK: }
  // CHECK-NEXT: return
  kernel.map outs(%rows : !kernel.rows<6x4>) accumulate {
    %one = arith.constant 1.0 : f32
    kernel.yield %one : f32
  }
  return
}

// CHECK-LABEL: func.func @others
func.func @others(%arena: memref<96xf32>, %table: memref<8xi32>, %context: !llvm.ptr, %at: index) {
  %x = memref.reinterpret_cast %arena to offset: [%at], sizes: [2, 4], strides: [4, 1] : memref<96xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
  // CHECK: kernel.add_row_ranges %{{.*}}, %{{.*}}[%{{.*}} to %{{.*}}] step 4 alpha 5.000000e-01 outs(%{{.*}}) : memref<96xf32>, memref<8xi32>, memref<2x4xf32, {{.*}}>
  kernel.add_row_ranges %arena, %table[%at to %at] step 4 alpha 0.5 outs(%x) : memref<96xf32>, memref<8xi32>, memref<2x4xf32, strided<[4, 1], offset: ?>>
  // CHECK: kernel.run_component %{{.*}} ins(%{{.*}} : memref<2x4xf32, {{.*}}>) outs(%{{.*}} : memref<2x4xf32, {{.*}}>) context(%{{.*}} : !llvm.ptr)
  kernel.run_component %at ins(%x : memref<2x4xf32, strided<[4, 1], offset: ?>>) outs(%x : memref<2x4xf32, strided<[4, 1], offset: ?>>) context(%context : !llvm.ptr)
  // CHECK: kernel.run_component %{{[^ ]*}} outs(%{{.*}} : memref<2x4xf32, {{.*}}>) context(%{{.*}} : !llvm.ptr)
  kernel.run_component %at outs(%x : memref<2x4xf32, strided<[4, 1], offset: ?>>) context(%context : !llvm.ptr)
  return
}

}
