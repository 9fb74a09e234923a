// RUN: nnet3-opt %s -verify-diagnostics -split-input-file

nnet3.network @net {}
nnet3.computation @c for @net {
  // expected-error @below {{expects a body with the round as its argument}}
  "nnet3.loop"() <{count = 2 : i64}> ({
    nnet3.no_operation
  }) : () -> ()
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  // expected-error @below {{attribute 'count' failed to satisfy constraint}}
  nnet3.loop %round to 0 {}
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  nnet3.loop %round to 2 {
    // expected-error @below {{does not belong in nnet3.loop}}
    builtin.module {}
  }
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  nnet3.loop %round to 2 {
    // expected-error @below {{cannot be part of a loop}}
    nnet3.loop %inner to 2 {}
  }
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  nnet3.loop %round to 2 {
    // expected-error @below {{cannot be part of a loop}}
    nnet3.no_operation_marker
  }
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  nnet3.loop %round to 2 {
    // expected-error @below {{cannot be part of a loop}}
    nnet3.elided_rounds 2
  }
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %m = nnet3.alloc_matrix_zeroed : memref<10x4xf32>
  nnet3.loop %round to 2 {
    // expected-error @below {{cannot be part of a loop}}
    nnet3.keep_rows %m : memref<10x4xf32>
  }
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  // expected-error @below {{attribute 'count' failed to satisfy constraint}}
  nnet3.elided_rounds 0
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  nnet3.loop %round to 2 {
    // expected-error @below {{makes a matrix that its round does not free}}
    %m = nnet3.alloc_matrix_zeroed : memref<1x4xf32>
  }
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %m = nnet3.alloc_matrix_zeroed : memref<1x4xf32>
  nnet3.loop %round to 2 {
    // expected-error @below {{frees a matrix from outside of its loop}}
    nnet3.dealloc_matrix %m : memref<1x4xf32>
  }
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %m = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  nnet3.loop %round to 4 {
    // expected-error @below {{a 1x4 view at [4, 0] is outside the source's 4x4}}
    %v = nnet3.moving_sub_matrix %m[1 + 1 * %round, 0] : memref<4x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
  }
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %m = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  nnet3.loop %round to 2 {
    // expected-error @below {{moves by 4294967296 rows, more than a matrix has}}
    %v = nnet3.moving_sub_matrix %m[0 + 4294967296 * %round, 0] : memref<4x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
  }
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %m = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  nnet3.loop %round to 2 {
    // expected-error @below {{expects a result with the source's strides and an offset of '?'}}
    %v = nnet3.moving_sub_matrix %m[0 + 1 * %round, 0] : memref<4x4xf32> to memref<1x4xf32, strided<[4, 1]>>
  }
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %m = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  nnet3.loop %round to 2 {
    %v = nnet3.moving_sub_matrix %m[0 + 1 * %round, 0] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
    // expected-error @below {{expects a source that does not move}}
    %w = nnet3.moving_sub_matrix %v[0 + 1 * %round, 0] : memref<2x4xf32, strided<[4, 1], offset: ?>> to memref<1x4xf32, strided<[4, 1], offset: ?>>
  }
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %m = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  nnet3.loop %round to 2 {
    %v = nnet3.moving_sub_matrix %m[0 + 1 * %round, 0] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
    // expected-error @below {{expects a source that does not move}}
    %w = nnet3.sub_matrix %v[0, 0] : memref<2x4xf32, strided<[4, 1], offset: ?>> to memref<1x4xf32, strided<[4, 1], offset: ?>>
  }
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.backprop_truncation @truncation {dim = 4}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<2x4xf32>
  nnet3.loop %round to 2 {
    // expected-error @below {{expects a precomputed 'first_time'}}
    nnet3.backprop @net::@truncation out_deriv(%a : memref<2x4xf32>) in_deriv(%a : memref<2x4xf32>) time + 3 * %round
  }
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.backprop_truncation @truncation {dim = 4}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<2x4xf32>
  nnet3.loop %round to 2147483647 {
    // expected-error @below {{moves by 3 frames in 2147483647 rounds, more than there are}}
    nnet3.backprop @net::@truncation out_deriv(%a : memref<2x4xf32>) in_deriv(%a : memref<2x4xf32>) precomputed {first_time = 0 : i64, times = #nnet3.row_table<0, 1>} time + 3 * %round
  }
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.backprop_truncation @truncation {dim = 4}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<2x4xf32>
  // expected-error @below {{expects a round and a step of its time, or neither}}
  "nnet3.backprop"(%a, %a) <{component = @net::@truncation, operandSegmentSizes = array<i32: 0, 0, 1, 1, 0, 0>, time_step = 3 : i64}> : (memref<2x4xf32>, memref<2x4xf32>) -> ()
}
