// RUN: nnet3-opt %s -split-input-file -verify-diagnostics

// What components precompute has the entries that their code reads.

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.tdnn @tdnn {input_dim = 4, output_dim = 2, time_offsets = array<i64: 0, 1>}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<5x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<4x2xf32>
  // expected-error@+1 {{expects a precomputed 'row_offsets', an array of i64, but got none}}
  nnet3.propagate @net::@tdnn ins(%a : memref<5x4xf32>) outs(%b : memref<4x2xf32>)
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.tdnn @tdnn {input_dim = 4, output_dim = 2, time_offsets = array<i64: 0, 1>}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<5x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<4x2xf32>
  // expected-error@+1 {{expects a precomputed 'row_offsets', an array of i64, but got 1 : i64}}
  nnet3.propagate @net::@tdnn ins(%a : memref<5x4xf32>) outs(%b : memref<4x2xf32>) precomputed {row_offsets = 1, row_stride = 1}
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.tdnn @tdnn {input_dim = 4, output_dim = 2, time_offsets = array<i64: 0, 1>}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<5x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<4x2xf32>
  // expected-error@+1 {{expects a precomputed 'row_stride', an integer, but got "x"}}
  nnet3.propagate @net::@tdnn ins(%a : memref<5x4xf32>) outs(%b : memref<4x2xf32>) precomputed {row_offsets = array<i64: 0, 1>, row_stride = "x"}
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.tdnn @tdnn {input_dim = 4, output_dim = 2, time_offsets = array<i64: 0, 1>}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<5x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<4x2xf32>
  // expected-error@+1 {{expects 'row_offsets' of 2 time offsets, but got 1}}
  nnet3.propagate @net::@tdnn ins(%a : memref<5x4xf32>) outs(%b : memref<4x2xf32>) precomputed {row_offsets = array<i64: 0>, row_stride = 1}
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.tdnn @tdnn {input_dim = 4, output_dim = 2, time_offsets = array<i64: 0, 1>}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<5x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<4x2xf32>
  // expected-error@+1 {{expects rows of an input with 5 rows, but got offset 2 and stride 1 for 4 rows}}
  nnet3.propagate @net::@tdnn ins(%a : memref<5x4xf32>) outs(%b : memref<4x2xf32>) precomputed {row_offsets = array<i64: 0, 2>, row_stride = 1}
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.tdnn @tdnn {input_dim = 4, output_dim = 2, time_offsets = array<i64: 0, 1>}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<5x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<4x2xf32>
  // expected-error@+1 {{but got offset 0 and stride 9223372036854775807 for 4 rows}}
  nnet3.propagate @net::@tdnn ins(%a : memref<5x4xf32>) outs(%b : memref<4x2xf32>) precomputed {row_offsets = array<i64: 0, 1>, row_stride = 9223372036854775807}
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.tdnn @tdnn {input_dim = 4, output_dim = 2, time_offsets = array<i64: 0, 1>}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<5x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<4x2xf32>
  // expected-error@+1 {{but got offset -1 and stride 1 for 4 rows}}
  nnet3.backprop @net::@tdnn in_value(%a : memref<5x4xf32>) out_deriv(%b : memref<4x2xf32>) precomputed {row_offsets = array<i64: -1, 1>, row_stride = 1} update
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<11>
  nnet3.output_node "y", %x : !nnet3.rows<11>
  nnet3.restricted_attention @attention {key_dim = 3, num_heads = 1, num_left_inputs = 1, num_right_inputs = 1, value_dim = 2}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<5x11xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x5xf32>
  // expected-error@+1 {{expects rows of an input with 5 rows, but got shift 2 for 3 rows}}
  nnet3.propagate @net::@attention ins(%a : memref<5x11xf32>) outs(%b : memref<3x5xf32>) precomputed {row_shift = 2}
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<11>
  nnet3.output_node "y", %x : !nnet3.rows<11>
  nnet3.restricted_attention @attention {key_dim = 3, num_heads = 1, num_left_inputs = 1, num_right_inputs = 1, value_dim = 2}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<5x11xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x5xf32>
  // expected-error@+1 {{but got shift -1 for 3 rows}}
  nnet3.propagate @net::@attention ins(%a : memref<5x11xf32>) outs(%b : memref<3x5xf32>) precomputed {row_shift = -1}
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.statistics_extraction @extraction {input_dim = 4, include_variance = false}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<2x5xf32>
  // expected-error@+1 {{expects a precomputed 'ends', a row table, but got none}}
  nnet3.propagate @net::@extraction ins(%a : memref<3x4xf32>) outs(%b : memref<2x5xf32>) precomputed {begins = #nnet3.row_table<0, 1>}
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.statistics_extraction @extraction {input_dim = 4, include_variance = false}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<2x5xf32>
  // expected-error@+1 {{expects 'begins' to have a row for each of the 2 rows of the output, but got 3}}
  nnet3.propagate @net::@extraction ins(%a : memref<3x4xf32>) outs(%b : memref<2x5xf32>) precomputed {begins = #nnet3.row_table<0, 1, 2>, ends = #nnet3.row_table<1, 2, 3>}
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.statistics_extraction @extraction {input_dim = 4, include_variance = false}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<2x5xf32>
  // expected-error@+1 {{expects rows below 4 in 'ends', but got #nnet3.row_table<1, 4>}}
  nnet3.propagate @net::@extraction ins(%a : memref<3x4xf32>) outs(%b : memref<2x5xf32>) precomputed {begins = #nnet3.row_table<0, 1>, ends = #nnet3.row_table<1, 4>}
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.statistics_extraction @extraction {input_dim = 4, include_variance = false}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<2x5xf32>
  // expected-error@+1 {{expects as many 'begins' as 'ends', but got 2 and 1}}
  nnet3.propagate @net::@extraction ins(%a : memref<3x4xf32>) outs(%b : memref<2x5xf32>) precomputed {begins = #nnet3.row_table<0, 1>, ends = #nnet3.row_table<1>}
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.statistics_extraction @extraction {input_dim = 4, include_variance = false}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<2x5xf32>
  // expected-error@+1 {{expects ranges that end after they begin, but got one from 2 to 1}}
  nnet3.propagate @net::@extraction ins(%a : memref<3x4xf32>) outs(%b : memref<2x5xf32>) precomputed {begins = #nnet3.row_table<0, 2>, ends = #nnet3.row_table<1, 1>}
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.distribute @distribute {input_dim = 4, output_dim = 2}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<2x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<2x2xf32>
  // expected-error@+1 {{expects rows below 2 in 'blocks', but got #nnet3.row_table<0, 2>}}
  nnet3.propagate @net::@distribute ins(%a : memref<2x4xf32>) outs(%b : memref<2x2xf32>) precomputed {blocks = #nnet3.row_table<0, 2>, rows = #nnet3.row_table<0, 1>}
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.distribute @distribute {input_dim = 4, output_dim = 2}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<2x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<2x2xf32>
  // expected-error@+1 {{expects rows below 2 in 'rows', but got #nnet3.row_table<0, _>}}
  nnet3.propagate @net::@distribute ins(%a : memref<2x4xf32>) outs(%b : memref<2x2xf32>) precomputed {blocks = #nnet3.row_table<0, 1>, rows = #nnet3.row_table<0, _>}
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.distribute @distribute {input_dim = 4, output_dim = 2}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<2x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<2x2xf32>
  // expected-error@+1 {{expects as many 'rows' as 'blocks', but got 1 and 2}}
  nnet3.propagate @net::@distribute ins(%a : memref<2x4xf32>) outs(%b : memref<2x2xf32>) precomputed {blocks = #nnet3.row_table<0, 1>, rows = #nnet3.row_table<0>}
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.spec_augment_time_mask @mask {dim = 4}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<2x4xf32>
  // expected-error@+1 {{expects positive 'lengths' whose sum is 2, but got #nnet3.row_table<3>}}
  nnet3.propagate @net::@mask ins(%a : memref<2x4xf32>) outs(%a : memref<2x4xf32>) precomputed {lengths = #nnet3.row_table<3>, rows = #nnet3.row_table<0, 1>}
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.general_dropout @dropout {dim = 4}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<2x4xf32>
  // expected-error@+1 {{expects 'num_mask_rows' from 1 to 2, but got 3}}
  nnet3.propagate @net::@dropout ins(%a : memref<2x4xf32>) outs(%a : memref<2x4xf32>) precomputed {indexes = #nnet3.row_table<0, 1>, num_mask_rows = 3}
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.general_dropout @dropout {dim = 4}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<2x4xf32>
  // expected-error@+1 {{expects rows below 1 in 'indexes', but got #nnet3.row_table<0, 1>}}
  nnet3.propagate @net::@dropout ins(%a : memref<2x4xf32>) outs(%a : memref<2x4xf32>) precomputed {indexes = #nnet3.row_table<0, 1>, num_mask_rows = 1}
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.backprop_truncation @truncation {dim = 4}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<2x4xf32>
  // expected-error@+1 {{expects a precomputed 'first_time', an integer, but got none}}
  nnet3.propagate @net::@truncation ins(%a : memref<2x4xf32>) outs(%a : memref<2x4xf32>) precomputed {}
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.backprop_truncation @truncation {dim = 4}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<2x4xf32>
  // expected-error@+1 {{expects a 32-bit 'first_time', but got 2147483648}}
  nnet3.propagate @net::@truncation ins(%a : memref<2x4xf32>) outs(%a : memref<2x4xf32>) precomputed {first_time = 2147483648, times = #nnet3.row_table<0, 1>}
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.backprop_truncation @truncation {dim = 4}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<2x4xf32>
  // expected-error@+1 {{expects 'times' to have a row for each of the 2 rows of the output, but got 3}}
  nnet3.propagate @net::@truncation ins(%a : memref<2x4xf32>) outs(%a : memref<2x4xf32>) precomputed {first_time = 0, times = #nnet3.row_table<0, 1, 2>}
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 2}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<4x2xf32>
  // expected-error@+1 {{expects nothing precomputed of nnet3.affine}}
  nnet3.propagate @net::@affine ins(%a : memref<4x4xf32>) outs(%b : memref<4x2xf32>) precomputed {row_offsets = array<i64: 0>}
}
