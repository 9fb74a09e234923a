// RUN: nnet3-opt --kernel-split-at-steps %s | FileCheck %s
// RUN: nnet3-opt --kernel-split-at-steps %s | nnet3-opt --verify-roundtrip -o /dev/null

// CHECK: kernel.entry @step arena 288
// CHECK-SAME: steps [#kernel.step<function = @step_part_0>, #kernel.step<>, #kernel.step<component = "affine", number = 1, offset = 64, rows = 3, cols = 4, stride = 4>, #kernel.step<function = @step_part_3>]
kernel.entry @step arena 288 inputs [] outputs []
// CHECK-NOT: func.func @step(
// CHECK: func.func @step_part_0(
// CHECK-NEXT: %[[PLACE:.*]] = arith.constant 16 : index
// CHECK-NEXT: call @fill(%{{.*}}, %[[PLACE]])
// CHECK-NEXT: return
// CHECK: func.func @step_part_3(
// CHECK-NEXT: %[[PLACE:.*]] = arith.constant 16 : index
// CHECK-NEXT: call @fill(%{{.*}}, %[[PLACE]])
// CHECK-NEXT: return
func.func @step(%arena: memref<288xf32>) {
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  func.call @fill(%arena, %c16) : (memref<288xf32>, index) -> ()
  func.call @objectives(%arena) : (memref<288xf32>) -> ()
  func.call @precondition(%arena, %c64) : (memref<288xf32>, index) -> ()
  func.call @fill(%arena, %c16) : (memref<288xf32>, index) -> ()
  return
}
func.func private @fill(%arena: memref<288xf32>, %at: index) {
  %x = memref.reinterpret_cast %arena to offset: [%at], sizes: [3, 4], strides: [4, 1] : memref<288xf32> to memref<3x4xf32, strided<[4, 1], offset: ?>>
  kernel.map outs(%x : memref<3x4xf32, strided<[4, 1], offset: ?>>) {
    %zero = arith.constant 0.0 : f32
    kernel.yield %zero : f32
  }
  return
}
// CHECK-NOT: @objectives
// CHECK-NOT: @precondition
func.func private @objectives(%arena: memref<288xf32>) {
  kernel.compute_objectives
  return
}
func.func private @precondition(%arena: memref<288xf32>, %at: index) {
  %x = memref.reinterpret_cast %arena to offset: [%at], sizes: [3, 4], strides: [4, 1] : memref<288xf32> to memref<3x4xf32, strided<[4, 1], offset: ?>>
  kernel.precondition %x component "affine" number 1 : memref<3x4xf32, strided<[4, 1], offset: ?>>
  return
}

// CHECK: kernel.entry @product arena 288
// CHECK-SAME: steps [#kernel.step<component = "affine", number = 1, offset = 64, rows = 3, cols = 5, stride = 8, product = <offset = 16, cols = 4, stride = 4, basis = 96, sums = 128, rank = 2>>]
kernel.entry @product arena 288 inputs [] outputs []
func.func @product(%arena: memref<288xf32>) {
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c96 = arith.constant 96 : index
  %c128 = arith.constant 128 : index
  func.call @product_of(%arena, %c64, %c16, %c96, %c128) : (memref<288xf32>, index, index, index, index) -> ()
  return
}
// CHECK-NOT: @product_of
func.func private @product_of(%arena: memref<288xf32>, %x_at: index, %y_at: index, %b_at: index, %s_at: index) {
  %x = memref.reinterpret_cast %arena to offset: [%x_at], sizes: [3, 5], strides: [8, 1] : memref<288xf32> to memref<3x5xf32, strided<[8, 1], offset: ?>>
  %y = memref.reinterpret_cast %arena to offset: [%y_at], sizes: [3, 4], strides: [4, 1] : memref<288xf32> to memref<3x4xf32, strided<[4, 1], offset: ?>>
  %b = memref.reinterpret_cast %arena to offset: [%b_at], sizes: [2, 5], strides: [5, 1] : memref<288xf32> to memref<2x5xf32, strided<[5, 1], offset: ?>>
  %s = memref.reinterpret_cast %arena to offset: [%s_at], sizes: [2, 4], strides: [4, 1] : memref<288xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
  kernel.precondition_product %x with(%y : memref<3x4xf32, strided<[4, 1], offset: ?>>) outs(%b, %s : memref<2x5xf32, strided<[5, 1], offset: ?>>, memref<2x4xf32, strided<[4, 1], offset: ?>>) component "affine" number 1 : memref<3x5xf32, strided<[8, 1], offset: ?>>
  return
}

// CHECK: kernel.entry @groups arena 288
// CHECK-SAME: steps [#kernel.step<component = "affine", offset = 64, rows = 3, cols = 2, stride = 2, product = <offset = 16, cols = 4, stride = 4, basis = 96, sums = 128, rank = 2, groups = 3, distance = 8>>]
kernel.entry @groups arena 288 inputs [] outputs []
func.func @groups(%arena: memref<288xf32>) {
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c96 = arith.constant 96 : index
  %c128 = arith.constant 128 : index
  func.call @product_of_groups(%arena, %c64, %c16, %c96, %c128) : (memref<288xf32>, index, index, index, index) -> ()
  return
}
// CHECK-NOT: @product_of_groups
func.func private @product_of_groups(%arena: memref<288xf32>, %x_at: index, %y_at: index, %b_at: index, %s_at: index) {
  %x = memref.reinterpret_cast %arena to offset: [%x_at], sizes: [3, 3, 2], strides: [2, 8, 1] : memref<288xf32> to memref<3x3x2xf32, strided<[2, 8, 1], offset: ?>>
  %y = memref.reinterpret_cast %arena to offset: [%y_at], sizes: [3, 4], strides: [4, 1] : memref<288xf32> to memref<3x4xf32, strided<[4, 1], offset: ?>>
  %b = memref.reinterpret_cast %arena to offset: [%b_at], sizes: [2, 6], strides: [6, 1] : memref<288xf32> to memref<2x6xf32, strided<[6, 1], offset: ?>>
  %s = memref.reinterpret_cast %arena to offset: [%s_at], sizes: [2, 4], strides: [4, 1] : memref<288xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
  kernel.precondition_product %x with(%y : memref<3x4xf32, strided<[4, 1], offset: ?>>) outs(%b, %s : memref<2x6xf32, strided<[6, 1], offset: ?>>, memref<2x4xf32, strided<[4, 1], offset: ?>>) component "affine" number 0 : memref<3x3x2xf32, strided<[2, 8, 1], offset: ?>>
  return
}

// CHECK: kernel.entry @sum arena 288
// CHECK-SAME: steps [#kernel.step<offset = 16, rows = 1, cols = 10, stride = 10, allreduce = true>]
kernel.entry @sum arena 288 inputs [] outputs []
func.func @sum(%arena: memref<288xf32>) {
  %c16 = arith.constant 16 : index
  func.call @sum_of(%arena, %c16) : (memref<288xf32>, index) -> ()
  return
}
// CHECK-NOT: @sum_of
func.func private @sum_of(%arena: memref<288xf32>, %at: index) {
  %x = memref.reinterpret_cast %arena to offset: [%at], sizes: [10], strides: [1] : memref<288xf32> to memref<10xf32, strided<[1], offset: ?>>
  kernel.allreduce %x : memref<10xf32, strided<[1], offset: ?>>
  return
}

// CHECK: kernel.entry @gradient arena 288
// CHECK-SAME: steps [#kernel.step<component = "affine", offset = 16, rows = 3, cols = 4, stride = 4, parameter = "linear_params">]
kernel.entry @gradient arena 288 inputs [] outputs [] gradients [#kernel.gradient<component = "affine", parameter = "linear_params", offset = 16, rows = 3, cols = 4>]
func.func @gradient(%arena: memref<288xf32>) {
  %c16 = arith.constant 16 : index
  func.call @gradient_of(%arena, %c16) : (memref<288xf32>, index) -> ()
  return
}
// CHECK-NOT: @gradient_of
func.func private @gradient_of(%arena: memref<288xf32>, %at: index) {
  %x = memref.reinterpret_cast %arena to offset: [%at], sizes: [3, 4], strides: [4, 1] : memref<288xf32> to memref<3x4xf32, strided<[4, 1], offset: ?>>
  kernel.sum_gradient %x component "affine" parameter "linear_params" : memref<3x4xf32, strided<[4, 1], offset: ?>>
  return
}
