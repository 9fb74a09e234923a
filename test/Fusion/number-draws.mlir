// RUN: nnet3-opt --nnet3-number-draws %s | FileCheck %s
// RUN: nnet3-opt --nnet3-number-draws --kernel-set-target=instruction-sets=avx512f --convert-nnet3-to-kernels %s | FileCheck --check-prefix=CALLS %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.rectified_linear @relu {dim = 4}
  nnet3.general_dropout @dropout {dim = 4, block_dim = 4, dropout_proportion = 0.5 : f32}
}

// CALLS: calls [#kernel.call<component = @net::@dropout, {{.*}}, draw = 0>, #kernel.call<component = @net::@dropout, {{.*}}, draw = 2>]

// CHECK-LABEL: nnet3.computation @first
nnet3.computation @first for @net {
  // CHECK: propagate @net::@dropout {{.*}} draw 0
  // CHECK: propagate @net::@relu {{.*}}memref<3x4xf32>){{$}}
  // CHECK: propagate @net::@dropout {{.*}} draw 2
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  nnet3.propagate @net::@dropout ins(%a : memref<3x4xf32>) outs(%a : memref<3x4xf32>) precomputed {indexes = #nnet3.row_table<0, 0, 0>, num_mask_rows = 1 : i64}
  nnet3.propagate @net::@relu ins(%a : memref<3x4xf32>) outs(%a : memref<3x4xf32>)
  nnet3.propagate @net::@dropout ins(%a : memref<3x4xf32>) outs(%a : memref<3x4xf32>) precomputed {indexes = #nnet3.row_table<0, 0, 0>, num_mask_rows = 1 : i64}
  nnet3.provide_output "y", %a : memref<3x4xf32>
}

// Each computation has its own count.
// CHECK-LABEL: nnet3.computation @second
nnet3.computation @second for @net {
  // CHECK: propagate @net::@dropout {{.*}} draw 0
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  nnet3.propagate @net::@dropout ins(%a : memref<3x4xf32>) outs(%a : memref<3x4xf32>) precomputed {indexes = #nnet3.row_table<0, 0, 0>, num_mask_rows = 1 : i64}
  nnet3.provide_output "y", %a : memref<3x4xf32>
}
