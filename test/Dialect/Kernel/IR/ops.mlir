// RUN: nnet3-opt %s | nnet3-opt | FileCheck %s
// RUN: nnet3-opt --verify-roundtrip -o /dev/null %s

// CHECK: module attributes {kernel.target = #kernel.target<vector_bits = 256, vector_registers = 16>}
module attributes {kernel.target = #kernel.target<vector_bits = 256, vector_registers = 16>} {

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

// CHECK-LABEL: func.func @narrow
func.func @narrow(%x: memref<9x4xf32, strided<[6, 1], offset: ?>>, %groups: memref<3x3x16xf32>, %v: memref<4xf32>) {
  // CHECK: %[[BYTES:.*]] = kernel.narrow %{{.*}} : memref<9x4xf32, strided<[6, 1], offset: ?>> to memref<9x16xi8, strided<[24, 1], offset: ?>>
  %bytes = kernel.narrow %x : memref<9x4xf32, strided<[6, 1], offset: ?>> to memref<9x16xi8, strided<[24, 1], offset: ?>>
  // CHECK: kernel.map ins(%{{.*}}, %{{.*}} : memref<3x3x16xf32>, memref<4xf32>) outs(%[[BYTES]] : memref<9x16xi8, {{.*}}>) alignment 4 form fused {
  kernel.map ins(%groups, %v : memref<3x3x16xf32>, memref<4xf32>) outs(%bytes : memref<9x16xi8, strided<[24, 1], offset: ?>>) alignment 4 form fused {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    %d = arith.fptosi %c : f32 to i8
    // CHECK: kernel.yield %{{.*}} : i8
    kernel.yield %d : i8
  }
  return
}

// CHECK-LABEL: func.func @gemv
func.func @gemv(%x: memref<1x20xf32>, %w: memref<16x20xf32>, %v: memref<8xf32>, %y: memref<1x8xf32>) {
  // CHECK: kernel.gemv rows(%{{.*}}, %{{.*}} : memref<1x20xf32>, memref<1x20xf32>) weights(%{{.*}}, %{{.*}} : memref<16x20xf32>, memref<16x20xf32>) ins(%{{.*}} : memref<8xf32>) outs(%{{.*}} : memref<1x8xf32>) alignment 4 {
  // CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32):
  kernel.gemv rows(%x, %x : memref<1x20xf32>, memref<1x20xf32>) weights(%w, %w : memref<16x20xf32>, memref<16x20xf32>) ins(%v : memref<8xf32>) outs(%y : memref<1x8xf32>) alignment 4 {
  ^bb0(%s: f32, %t: f32, %bias: f32):
    %p = math.fma %s, %t, %bias : f32
    kernel.yield %p : f32
  }
  return
}

// CHECK-LABEL: func.func @gemm
func.func @gemm(%x: memref<6x4xf32>, %rows: !kernel.rows<6x8>, %w: memref<2x12x8xf32>, %v: memref<9xf32>, %i: memref<2x9xf32>, %s: memref<96xf32>, %y: memref<6x9xf32>) {
  // CHECK: kernel.gemm ins(%{{.*}}, %{{.*}} : memref<6x4xf32>, !kernel.rows<6x8>) panel_rows [0, 4] weights(%{{.*}} : memref<2x12x8xf32>) bias(%{{.*}} : memref<9xf32>) init(%{{.*}} : memref<2x9xf32>) epilogue(%{{.*}}, %{{.*}} : memref<9xf32>, memref<6x9xf32>) outs(%{{.*}} : memref<6x9xf32>) tile_rows 3 parallel {
  kernel.gemm ins(%x, %rows : memref<6x4xf32>, !kernel.rows<6x8>) panel_rows [0, 4] weights(%w : memref<2x12x8xf32>) bias(%v : memref<9xf32>) init(%i : memref<2x9xf32>) epilogue(%v, %y : memref<9xf32>, memref<6x9xf32>) outs(%y : memref<6x9xf32>) tile_rows 3 parallel {
  ^bb0(%sum: f32, %scale: f32, %residual: f32):
    %r = math.fma %sum, %scale, %residual : f32
    kernel.yield %r : f32
  }
  // CHECK: kernel.gemm ins(%{{.*}} : memref<6x4xf32>) panel_rows [0] weights(%{{.*}}) scratch(%{{.*}} : memref<96xf32>) scales(%{{.*}} : memref<9xf32>) sums(%{{.*}} : memref<9xf32>) outs(%{{.*}}) tile_rows 3 precision int8 {
  kernel.gemm ins(%x : memref<6x4xf32>) panel_rows [0] weights(%w : memref<2x12x8xf32>) scratch(%s : memref<96xf32>) scales(%v : memref<9xf32>) sums(%v : memref<9xf32>) outs(%y : memref<6x9xf32>) tile_rows 3 precision int8 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  return
}

// CHECK-LABEL: func.func @others
func.func @others(%arena: memref<96xf32>, %context: !llvm.ptr, %at: index) {
  %x = memref.reinterpret_cast %arena to offset: [%at], sizes: [2, 4], strides: [4, 1] : memref<96xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
  // CHECK: kernel.run_component %{{.*}} ins(%{{.*}} : memref<2x4xf32, {{.*}}>) outs(%{{.*}} : memref<2x4xf32, {{.*}}>) context(%{{.*}} : !llvm.ptr)
  kernel.run_component %at ins(%x : memref<2x4xf32, strided<[4, 1], offset: ?>>) outs(%x : memref<2x4xf32, strided<[4, 1], offset: ?>>) context(%context : !llvm.ptr)
  // CHECK: kernel.run_component %{{[^ ]*}} outs(%{{.*}} : memref<2x4xf32, {{.*}}>) context(%{{.*}} : !llvm.ptr)
  kernel.run_component %at outs(%x : memref<2x4xf32, strided<[4, 1], offset: ?>>) context(%context : !llvm.ptr)
  return
}

}
