// RUN: nnet3-opt --kernel-set-target=instruction-sets=neon --convert-nnet3-to-kernels --kernel-outline --convert-kernel-to-vector %s | FileCheck %s

// Attention to 256 frames is code, to 257 a call of the runtime.
nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<261>
  nnet3.output_node "y", %x : !nnet3.rows<261>
  nnet3.restricted_attention @less {key_dim = 1, num_heads = 1, num_left_inputs = 200, num_right_inputs = 55, output_context = false, value_dim = 1}
  nnet3.restricted_attention @more {key_dim = 1, num_heads = 1, num_left_inputs = 200, num_right_inputs = 56, output_context = false, value_dim = 1}
}

// CHECK: calls [#kernel.call<component = @net::@more
// CHECK-LABEL: func.func @attend
// CHECK: call @map_rows_
// CHECK: call @run_component_
nnet3.computation @attend for @net {
  %a = nnet3.accept_input "x" : memref<258x261xf32>
  %k = nnet3.alloc_matrix_zeroed : memref<257x259xf32>
  %m = nnet3.alloc_matrix_zeroed : memref<258x260xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<2x1xf32>
  nnet3.propagate @net::@less ins(%k : memref<257x259xf32>) outs(%b : memref<2x1xf32>) precomputed {row_shift = 1 : i64}
  nnet3.propagate @net::@more ins(%m : memref<258x260xf32>) outs(%b : memref<2x1xf32>) precomputed {row_shift = 1 : i64}
  nnet3.dealloc_matrix %k : memref<257x259xf32>
  nnet3.dealloc_matrix %m : memref<258x260xf32>
  nnet3.dealloc_matrix %b : memref<2x1xf32>
  nnet3.provide_output "y", %a : memref<258x261xf32>
}
