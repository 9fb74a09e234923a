// RUN: nnet3-opt --kernel-split-at-steps --split-input-file --verify-diagnostics %s

kernel.entry @step arena 288 inputs [] outputs []
func.func @step(%arena: memref<288xf32>) {
  %c16 = arith.constant 16 : index
  // expected-error@below {{expects calls and loops without results between the steps, and constants}}
  %at = arith.addi %c16, %c16 : index
  func.call @objectives(%arena, %at) : (memref<288xf32>, index) -> ()
  return
}
func.func private @objectives(%arena: memref<288xf32>, %at: index) {
  kernel.compute_objectives
  return
}

// -----

kernel.entry @step arena 288 inputs [] outputs []
func.func @step(%arena: memref<288xf32>, %at: index) {
  // expected-error@below {{expects rows at a constant offset}}
  func.call @precondition(%arena, %at) : (memref<288xf32>, index) -> ()
  return
}
func.func private @precondition(%arena: memref<288xf32>, %at: index) {
  %x = memref.reinterpret_cast %arena to offset: [%at], sizes: [3, 4], strides: [4, 1] : memref<288xf32> to memref<3x4xf32, strided<[4, 1], offset: ?>>
  kernel.precondition %x component "affine" number 1 : memref<3x4xf32, strided<[4, 1], offset: ?>>
  return
}

// -----

// expected-error@below {{expects a function, but got @part}}
kernel.entry @step arena 288 inputs [] outputs [] steps [#kernel.step<function = @part>]

// -----

// expected-error@below {{expects rows in an arena of 288 floats}}
kernel.entry @step arena 288 inputs [] outputs [] steps [#kernel.step<component = "affine", offset = 280, rows = 3, cols = 4, stride = 4>]

// -----

// expected-error@below {{expects a function or a component, but got both}}
kernel.entry @step arena 288 inputs [] outputs [] steps [#kernel.step<function = @part, component = "affine">]

// -----

// expected-error@below {{expects rows in an arena of 288 floats}}
kernel.entry @step arena 288 inputs [] outputs [] steps [#kernel.step<component = "affine", rows = 3, cols = 4, stride = 4, product = #kernel.product<offset = 280, cols = 4, stride = 4, basis = 64, sums = 96, rank = 2>>]

// -----

// expected-error@below {{expects rows in an arena of 288 floats}}
kernel.entry @step arena 288 inputs [] outputs [] steps [#kernel.step<component = "affine", rows = 3, cols = 4, stride = 4, product = #kernel.product<offset = 16, cols = 4, stride = 4, basis = 284, sums = 96, rank = 2>>]

// -----

// expected-error@below {{expects rows in an arena of 288 floats}}
kernel.entry @step arena 288 inputs [] outputs [] steps [#kernel.step<component = "affine", rows = 3, cols = 4, stride = 4, product = #kernel.product<offset = 16, cols = 4, stride = 4, basis = 64, sums = 284, rank = 2>>]

// -----

// expected-error@below {{expects rows in an arena of 288 floats}}
kernel.entry @step arena 288 inputs [] outputs [] steps [#kernel.step<component = "affine", rows = 3, cols = 4, stride = 4, product = #kernel.product<offset = 16, cols = 4, stride = 4, basis = 64, sums = 96, rank = 2, groups = 3, distance = 140>>]

// -----

// expected-error@below {{expects rows in an arena of 288 floats}}
kernel.entry @step arena 288 inputs [] outputs [] steps [#kernel.step<component = "affine", rows = 3, cols = 4, stride = 4, product = #kernel.product<offset = 16, cols = 4, stride = 4, basis = 268, sums = 96, rank = 2, groups = 3, distance = 4>>]

// -----

// expected-error@below {{expects groups from 1 to 2147483647, but got 0}}
// expected-error@below {{failed to parse Kernel_StepAttr parameter 'product'}}
kernel.entry @step arena 288 inputs [] outputs [] steps [#kernel.step<component = "affine", rows = 3, cols = 4, stride = 4, product = #kernel.product<offset = 16, cols = 4, stride = 4, basis = 64, sums = 96, rank = 2, groups = 0>>]

// -----

// expected-error@below {{expects a component and one side with a product}}
kernel.entry @step arena 288 inputs [] outputs [] steps [#kernel.step<product = #kernel.product<offset = 16, cols = 4, stride = 4, basis = 64, sums = 96, rank = 2>>]
