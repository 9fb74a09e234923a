// RUN: nnet3-opt --verify-roundtrip %s | FileCheck %s

// CHECK: kernel.resources weights 80 layout [#kernel.packed<component = @net::@affine, part = panels, offset = 0, number = 4, folded = @net::@norm, precision = bf16, columns = [0, 4], error = 2.500000e-01 : f64>, #kernel.packed<component = @net::@affine, part = bias, offset = 48>, #kernel.packed<component = @net::@affine, part = parameter, offset = 64, parameter = "linear_params">] calls [#kernel.call<component = @net::@norm, input_rows = 3, output_rows = 3, precomputed = {rows = 3 : i64}, draw = 7>] row_tables <[2 x +16](0, _)> precision bf16
kernel.resources weights 80 layout [
  #kernel.packed<component = @net::@affine, part = panels, offset = 0, number = 4, folded = @net::@norm, precision = bf16, columns = [0, 4], error = 2.500000e-01 : f64>,
  #kernel.packed<component = @net::@affine, part = bias, offset = 48>,
  #kernel.packed<component = @net::@affine, part = parameter, offset = 64, parameter = "linear_params">
] calls [
  #kernel.call<component = @net::@norm, input_rows = 3, output_rows = 3, precomputed = {rows = 3 : i64}, draw = 7>
] row_tables <[2 x +16](0, _)> precision bf16

// CHECK: kernel.entry @run arena 96 inputs [#kernel.io<node = "x", offset = 0, rows = 3, cols = 4>] outputs [#kernel.io<node = "y", offset = 16, rows = 3, cols = 4>] gradients [#kernel.gradient<component = "affine", parameter = "bias_params", offset = 32, rows = 1, cols = 4>] parameters [#kernel.parameter<component = "affine", parameter = "bias_params", offset = 48, size = 4>] constants <first = 16, offset = 88, size = 8> statistics [#kernel.statistic<component = "norm", gradient = true, offset = 64, size = 8>] random 80
kernel.entry @run arena 96
  inputs [#kernel.io<node = "x", offset = 0, rows = 3, cols = 4>]
  outputs [#kernel.io<node = "y", offset = 16, rows = 3, cols = 4>]
  gradients [#kernel.gradient<component = "affine", parameter = "bias_params", offset = 32, rows = 1, cols = 4>]
  parameters [#kernel.parameter<component = "affine", parameter = "bias_params", offset = 48, size = 4>]
  constants <first = 16, offset = 88, size = 8>
  statistics [#kernel.statistic<component = "norm", gradient = true, offset = 64, size = 8>]
  random 80
func.func private @run(memref<96xf32>)

// CHECK: kernel.block = #kernel.block<threads = 64, warps = true, form = apart>
func.func private @warps(memref<96xf32>) attributes {kernel.block = #kernel.block<threads = 64, warps = true, form = apart>}
// CHECK: kernel.block = #kernel.block<threads = 32>
func.func private @blocks(memref<96xf32>) attributes {kernel.block = #kernel.block<threads = 32>}
