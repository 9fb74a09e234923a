// RUN: nnet3-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{expects 'nnet3.stage' to be one of network, commands, optimized, fused, kernels, loops, llvm-dialect, but got "stage"}}
module attributes {nnet3.stage = "stage"} {}

// -----

// expected-error@+1 {{expects 'nnet3.target' to be a string, but got 1 : i64}}
module attributes {nnet3.target = 1} {}

// -----

// expected-error@+1 {{expects 'nnet3.elided_weights' to be a unit, but got true}}
module attributes {nnet3.elided_weights = true} {}

// -----

// expected-error@+1 {{expects 'nnet3.packed_weights' to be a list, but got {}}}
module attributes {nnet3.packed_weights = {}} {}

// -----

// expected-error@+1 {{expects 'nnet3.packed_weights' to be a dictionary, but got "x"}}
module attributes {nnet3.packed_weights = ["x"]} {}

// -----

// expected-error@+1 {{expects 'nnet3.packed_weights' to have 'place', but got {component = @net::@a, part = "bias"}}}
module attributes {nnet3.packed_weights = [{component = @net::@a, part = "bias"}]} {}

// -----

// expected-error@+1 {{expects 'part' to be one of panels, scales, sums, bias, parameter, vector, but got "other"}}
module attributes {nnet3.packed_weights = [{component = @net::@a, part = "other"}]} {}

// -----

// expected-error@+1 {{expects 'component' to be a symbol, but got "a"}}
module attributes {nnet3.runtime_calls = [{component = "a"}]} {}

// -----

// expected-error@+1 {{expects 'columns' to be an array of i64, but got [0]}}
module attributes {nnet3.packed_weights = [{columns = [0], component = @net::@a, number = 0, part = "bias", place = 0}]} {}

// -----

// expected-error@+1 {{expects 'nnet3.threads' to be a 64-bit integer, but got "x"}}
func.func private @f() attributes {nnet3.threads = "x"}

// -----

// expected-error@+1 {{expects 'nnet3.threads' to be a 64-bit integer, but got 32 : i32}}
func.func private @f() attributes {nnet3.threads = 32 : i32}

// -----

// expected-error@+1 {{expects 'nnet3.threads' from 1 to 1024, but got 0}}
func.func private @f() attributes {nnet3.threads = 0}

// -----

// expected-error@+1 {{expects 'nnet3.threads' from 1 to 1024, but got -1}}
func.func private @f() attributes {nnet3.threads = -1}

// -----

// expected-error@+1 {{expects 'nnet3.threads' from 1 to 1024, but got 2147483648}}
func.func private @f() attributes {nnet3.threads = 2147483648}

// -----

// expected-error@+1 {{expects 'nnet3.blocks' of at least 1, but got 0}}
func.func private @f() attributes {nnet3.blocks = 0}

// -----

// expected-error@+1 {{expects 'nnet3.product' to have 'rows', but got {columns = 3 : i64}}}
func.func private @f() attributes {nnet3.product = {columns = 3}}

// -----

// expected-error@+1 {{expects 'nnet3.step' to have 'number', but got {component = "a", kind = "precondition"}}}
func.func private @f() attributes {nnet3.step = {component = "a", kind = "precondition"}}

// -----

// expected-error@+1 {{expects 'gradient' to be a bool, but got "x"}}
func.func private @f() attributes {nnet3.statistics = [{component = "a", gradient = "x"}]}

// -----

// expected-error@+1 {{expects 'nnet3.arena_size' of a function only}}
module attributes {nnet3.arena_size = 4} {}

// -----

// expected-error@+1 {{with 'nnet3.arena_size' expects 'nnet3.outputs'}}
func.func private @f() attributes {nnet3.arena_size = 4, nnet3.inputs = []}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.dropout @dropout {dim = 4, dropout_proportion = 0.5 : f32}
}
nnet3.computation @draw for @net {
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  // expected-error@+1 {{expects 'nnet3.draw' from 0 to 1073741823, but got -1}}
  nnet3.propagate @net::@dropout ins(%a : memref<3x4xf32>) outs(%a : memref<3x4xf32>) {nnet3.draw = -1}
}
