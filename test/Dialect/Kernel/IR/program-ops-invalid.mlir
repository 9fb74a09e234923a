// RUN: nnet3-opt --verify-diagnostics -split-input-file %s

// expected-error@+1 {{expects offset from 0 to 9223372036854775807, but got -1}}
#io = #kernel.io<node = "x", offset = -1, rows = 3, cols = 4>

// -----

// expected-error@+1 {{expects rows from 0 to 2147483647, but got 2147483648}}
#io = #kernel.io<node = "x", offset = 0, rows = 2147483648, cols = 4>

// -----

// expected-error@+1 {{expects cols from 0 to 2147483647, but got -4}}
#gradient = #kernel.gradient<component = "a", parameter = "b", offset = 0, rows = 1, cols = -4>

// -----

// expected-error@+1 {{expects size from 0 to 9223372036854775807, but got -1}}
#parameter = #kernel.parameter<component = "a", parameter = "b", offset = 0, size = -1>

// -----

// expected-error@+1 {{expects first from 0 to 9223372036854775807, but got -1}}
#constants = #kernel.constants<first = -1, offset = 0, size = 0>

// -----

// expected-error@+1 {{expects size from 0 to 9223372036854775807, but got -1}}
#statistic = #kernel.statistic<component = "a", gradient = false, offset = 0, size = -1>

// -----

// expected-error@+1 {{expects pairs of columns and counts, but got}}
#packed = #kernel.packed<component = @net::@a, part = sums, offset = 0, columns = [0]>

// -----

// expected-error@+1 {{expects the name of a parameter, and of no other part}}
#packed = #kernel.packed<component = @net::@a, part = parameter, offset = 0>

// -----

// expected-error@+1 {{expects the name of a parameter, and of no other part}}
#packed = #kernel.packed<component = @net::@a, part = bias, offset = 0, parameter = "bias_params">

// -----

// expected-error@+1 {{expects the error of panels, an f64 of at least 0}}
#packed = #kernel.packed<component = @net::@a, part = panels, offset = 0, number = 16, precision = bf16, columns = [0, 4], error = -1.0 : f64>

// -----

// expected-error@+1 {{expects planes in panels of int8 and fp16 alone}}
#packed = #kernel.packed<component = @net::@a, part = panels, offset = 0, number = 16, precision = bf16, columns = [0, 4], planes = true>

// -----

// expected-error@+1 {{expects draw from 0 to 1073741823, but got 1073741824}}
#call = #kernel.call<component = @net::@a, input_rows = 1, output_rows = 1, draw = 1073741824>

// -----

// expected-error@+1 {{expects threads from 1 to 1024, but got 0}}
#block = #kernel.block<threads = 0>

// -----

// expected-error@+1 {{expects threads from 1 to 1024, but got 2048}}
#block = #kernel.block<threads = 2048, warps = true>

// -----

// expected-error@+1 {{expects whole warps of 32 threads, but got 48 threads}}
#block = #kernel.block<threads = 48, warps = true>

// -----

// expected-error@+1 {{has an unknown attribute 'kernel.block' = #kernel.block<threads = 32>}}
module attributes {kernel.block = #kernel.block<threads = 32>} {}

// -----

// expected-error@+1 {{has an unknown attribute 'kernel.form' = "fused"}}
func.func private @f() attributes {kernel.form = "fused"}

// -----

// expected-error@+1 {{expects a function, but got @run}}
kernel.entry @run arena 96 inputs [] outputs []

// -----

// expected-error@+1 {{attribute 'arena_size' failed to satisfy constraint}}
kernel.entry @run arena -1 inputs [] outputs []
func.func private @run(memref<96xf32>)

// -----

// expected-error@+1 {{attribute 'inputs' failed to satisfy constraint}}
kernel.entry @run arena 96 inputs ["x"] outputs []
func.func private @run(memref<96xf32>)

// -----

// expected-error@+1 {{expects matrices in an arena of 96 floats, but got #kernel.io<node = "y", offset = 88, rows = 3, cols = 4>}}
kernel.entry @run arena 96 inputs [] outputs [#kernel.io<node = "y", offset = 88, rows = 3, cols = 4>]
func.func private @run(memref<96xf32>)

// -----

// expected-error@+1 {{expects constants in an arena of 96 floats, but got #kernel.constants<first = 0, offset = 9223372036854775807, size = 1>}}
kernel.entry @run arena 96 inputs [] outputs [] constants <first = 0, offset = 9223372036854775807, size = 1>
func.func private @run(memref<96xf32>)

// -----

// expected-error@+1 {{expects matrices in an arena of 96 floats}}
kernel.entry @run arena 96 inputs [] outputs [] gradients [#kernel.gradient<component = "a", parameter = "b", offset = 0, rows = 2147483647, cols = 2147483647>]
func.func private @run(memref<96xf32>)

// -----

// expected-note@+1 {{first one is here}}
kernel.resources weights 0 layout [] calls []
// expected-error@+1 {{is defined twice}}
kernel.resources weights 0 layout [] calls []

// -----

func.func @f() {
  // expected-error@+1 {{expects parent op 'builtin.module'}}
  kernel.resources weights 0 layout [] calls []
  return
}

// -----

// expected-error@+1 {{expects one row of whole f64 numbers to sum, and nothing else}}
kernel.entry @step arena 288 inputs [] outputs [] steps [#kernel.step<function = @part, rows = 1, cols = 2, allreduce = true>]

// -----

// expected-error@+1 {{expects one row of whole f64 numbers to sum, and nothing else}}
kernel.entry @step arena 288 inputs [] outputs [] steps [#kernel.step<rows = 1, cols = 3, allreduce = true>]

// -----

// expected-error@+1 {{expects a component and no preconditioner with a parameter}}
kernel.entry @step arena 288 inputs [] outputs [] steps [#kernel.step<parameter = "linear_params">]

// -----

// expected-error@+1 {{expects a component and no preconditioner with a parameter}}
kernel.entry @step arena 288 inputs [] outputs [] steps [#kernel.step<component = "affine", part = 1, parameter = "linear_params">]

// -----

// expected-error@+1 {{has no gradient for #kernel.step<component = "affine", offset = 16, rows = 3, cols = 4, stride = 4, parameter = "bias_params">}}
kernel.entry @step arena 288 inputs [] outputs [] gradients [#kernel.gradient<component = "affine", parameter = "linear_params", offset = 16, rows = 3, cols = 4>] steps [#kernel.step<component = "affine", offset = 16, rows = 3, cols = 4, stride = 4, parameter = "bias_params">]
