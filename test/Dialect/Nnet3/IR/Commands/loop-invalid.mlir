// RUN: nnet3-opt %s -verify-diagnostics -split-input-file

nnet3.network @net {}
nnet3.computation @c for @net {
  // expected-error @below {{expects a nnet3.yield at the end of its body}}
  nnet3.loop () {
    nnet3.no_operation
  }
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  // expected-error @below {{expects a nnet3.yield at the end of its body}}
  nnet3.loop () {}
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %m = nnet3.alloc_matrix_zeroed : memref<1x4xf32>
  // expected-note @below {{loop is here}}
  nnet3.loop (%s = %m : memref<1x4xf32>) {
    // expected-error @below {{expects the types of the loop's initial matrices}}
    nnet3.yield
  }
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %m = nnet3.alloc_matrix_zeroed : memref<1x4xf32>
  // expected-error @below {{expects one body argument per initial matrix}}
  "nnet3.loop"(%m) ({
    "nnet3.yield"(%m) : (memref<1x4xf32>) -> ()
  }) : (memref<1x4xf32>) -> ()
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  nnet3.loop () {
    // expected-error @below {{must be the last operation in the parent block}}
    nnet3.yield
    nnet3.yield
  }
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %m = nnet3.alloc_matrix_zeroed : memref<2x4xf32>
  %v = nnet3.sub_matrix %m[0, 0] : memref<2x4xf32> to memref<1x4xf32, strided<[4, 1]>>
  // expected-error @below {{expects a whole matrix, but got a sub-matrix}}
  nnet3.loop (%s = %v : memref<1x4xf32, strided<[4, 1]>>) {
    nnet3.yield %s : memref<1x4xf32, strided<[4, 1]>>
  }
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  nnet3.loop () {
    // expected-error @below {{does not belong in nnet3.loop}}
    builtin.module {}
    nnet3.yield
  }
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  // expected-error @below {{expects parent op 'nnet3.loop'}}
  nnet3.yield
}
