// RUN: nnet3-opt --kernel-set-target=instruction-sets=avx512f --convert-nnet3-to-kernels --verify-diagnostics -split-input-file %s
// RUN: not nnet3-opt --kernel-set-target=instruction-sets=avx512f --convert-nnet3-to-kernels=precision=tf32 -split-input-file %s 2>&1 | FileCheck --check-prefix=TF32 %s
// RUN: not nnet3-opt --convert-nnet3-to-kernels="device=true precision=int8" -split-input-file %s 2>&1 | FileCheck --check-prefix=INT8 %s
// TF32: error: precision 'tf32' is not for CPUs
// INT8: error: precision 'int8' is not for devices

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.no_op @noop {dim = 4}
  nnet3.batch_norm @norm {dim = 4}
}
nnet3.computation @backward for @net {
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %d = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  // expected-error@+1 {{is not supported in a library}}
  nnet3.backprop @net::@noop out_deriv(%d : memref<3x4xf32>) in_deriv(%d : memref<3x4xf32>)
  nnet3.provide_output "y", %a : memref<3x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.no_op @noop {dim = 4}
  nnet3.batch_norm @norm {dim = 4}
}
nnet3.computation @memo for @net {
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  // expected-error@+1 {{with a memo is not supported in a library}}
  %m = nnet3.propagate @net::@norm ins(%a : memref<3x4xf32>) outs(%a : memref<3x4xf32>) -> !nnet3.memo
  nnet3.provide_output "y", %a : memref<3x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.general_dropout @dropout {dim = 4, block_dim = 4, dropout_proportion = 0.5 : f32}
}
nnet3.computation @draw for @net {
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  // expected-error@+1 {{of a random component expects a draw number; see nnet3-number-draws}}
  nnet3.propagate @net::@dropout ins(%a : memref<3x4xf32>) outs(%a : memref<3x4xf32>) precomputed {indexes = #nnet3.row_table<0, 0, 0>, num_mask_rows = 1 : i64}
  nnet3.provide_output "y", %a : memref<3x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.distribute @distribute {input_dim = 4, output_dim = 2}
}
nnet3.computation @table for @net {
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<4x2xf32>
  // expected-error@+1 {{expects a precomputed table 'rows' of 4 rows}}
  nnet3.propagate @net::@distribute ins(%a : memref<3x4xf32>) outs(%b : memref<4x2xf32>) precomputed {blocks = #nnet3.row_table<0, 1>, rows = #nnet3.row_table<0, 0>}
  nnet3.dealloc_matrix %b : memref<4x2xf32>
  nnet3.provide_output "y", %a : memref<3x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
// Libraries for CPUs have no backward pass to compress anything for.
nnet3.computation @compressed for @net {
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  // expected-error@+1 {{is not supported in a library}}
  %c = nnet3.compress_matrix %a range 1.000000e+01 truncate : memref<3x4xf32> -> !nnet3.compressed<3x4xsi16>
  %y = nnet3.decompress_matrix %c : !nnet3.compressed<3x4xsi16> -> memref<3x4xf32>
  nnet3.provide_output "y", %y : memref<3x4xf32>
}

// -----

// Places in tables of rows have 32 bits.
nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<64>
  nnet3.output_node "y", %x : !nnet3.rows<64>
}
// expected-error@+1 {{needs an arena of}}
nnet3.computation @large for @net {
  %x = nnet3.accept_input "x" : memref<33554432x64xf32>
  %y = nnet3.alloc_matrix_undefined : memref<4x64xf32>
  nnet3.copy_rows %x <5, 0, 3, 1> into %y : memref<33554432x64xf32> into memref<4x64xf32>
  nnet3.dealloc_matrix %x : memref<33554432x64xf32>
  nnet3.provide_output "y", %y : memref<4x64xf32>
}
