// RUN: nnet3-opt --nnet3-number-draws --convert-nnet3-to-kernels=device=true --kernel-infer-alignment --kernel-fuse-maps --kernel-outline --convert-kernel-to-threads %s | FileCheck %s
// RUN: nnet3-opt --nnet3-number-draws --convert-nnet3-to-kernels=device=true --kernel-infer-alignment --kernel-fuse-maps --kernel-outline --convert-kernel-to-threads --convert-nnet3-kernels-to-gpu %s | FileCheck %s --check-prefix=GPU

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  %z = nnet3.input_node "z" : !nnet3.rows<4>
  %w = nnet3.input_node "w" : !nnet3.rows<5>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 5}
  nnet3.tdnn @tdnn {input_dim = 4, output_dim = 4, time_offsets = array<i64: 0, 1>, use_bias = false}
  nnet3.tanh @tanh {dim = 4}
  nnet3.per_element_scale @scale {dim = 4}
}

// The products for the weights and for the input, and the sums for the bias,
// write what was zero.
// CHECK: kernel.entry @affine
// CHECK-SAME: gradients [#kernel.gradient<component = "affine", parameter = "linear_params", offset = [[WEIGHTS:[0-9]+]], rows = 5, cols = 4>, #kernel.gradient<component = "affine", parameter = "bias_params", offset = [[BIAS:[0-9]+]], rows = 1, cols = 5>]
// CHECK-LABEL: func.func @affine
// CHECK-NOT: call @rows
// CHECK: call @[[TO_WEIGHTS:matmul_[0-9]+]]
// CHECK: call @[[TO_INPUT:matmul_[0-9]+]]
// CHECK: call @[[TO_BIAS:reduce_rows_[0-9]+]]
// CHECK-NEXT: return
nnet3.computation @affine for @net {
  %x = nnet3.accept_input "x" : memref<3x4xf32>
  %dy = nnet3.accept_input "w" : memref<3x5xf32>
  %dx = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  nnet3.backprop @net::@affine in_value(%x : memref<3x4xf32>) out_deriv(%dy : memref<3x5xf32>) in_deriv(%dx : memref<3x4xf32>) update
  nnet3.provide_output "x", %dx : memref<3x4xf32>
}

// Two time offsets, neither updated nor with a bias: two products.
// CHECK: kernel.entry @tdnn
// CHECK-NOT: gradients
// CHECK-LABEL: func.func @tdnn
// CHECK: call @matmul
// CHECK: call @matmul
// CHECK-NEXT: return
nnet3.computation @tdnn for @net {
  %x = nnet3.accept_input "x" : memref<4x4xf32>
  %dy = nnet3.accept_input "y" : memref<3x4xf32>
  %dx = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  nnet3.backprop @net::@tdnn in_value(%x : memref<4x4xf32>) out_deriv(%dy : memref<3x4xf32>) in_deriv(%dx : memref<4x4xf32>) precomputed {row_offsets = array<i64: 0, 1>, row_stride = 1 : i64}
  nnet3.provide_output "x", %dx : memref<4x4xf32>
}

// The scales' sums come before what overwrites the derivative.
// CHECK-LABEL: func.func @rows
// CHECK: call @[[TANH:map_rows_[0-9]+]]
// CHECK: call @[[SUM:reduce_rows_[0-9]+]]
// CHECK: call @[[SCALE:map_rows_[0-9]+]]
// CHECK-NEXT: return
nnet3.computation @rows for @net {
  %x = nnet3.accept_input "x" : memref<3x4xf32>
  %y = nnet3.accept_input "z" : memref<3x4xf32>
  %d = nnet3.accept_input "y" : memref<3x4xf32>
  %e = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  nnet3.backprop @net::@tanh out_value(%y : memref<3x4xf32>) out_deriv(%d : memref<3x4xf32>) in_deriv(%e : memref<3x4xf32>)
  nnet3.backprop @net::@scale in_value(%x : memref<3x4xf32>) out_deriv(%e : memref<3x4xf32>) in_deriv(%e : memref<3x4xf32>) update
  nnet3.provide_output "x", %e : memref<3x4xf32>
}

// CHECK: func.func private @[[TO_WEIGHTS]](
// CHECK: kernel.matmul tn
// CHECK: func.func private @[[TO_INPUT]](
// CHECK: kernel.matmul nn
// CHECK: func.func private @[[TO_BIAS]]
// CHECK: scf.parallel
// CHECK:   scf.parallel
// CHECK:     scf.for
// GPU: gpu.func @[[BIAS:reduce_rows_[0-9]+]]
// GPU: gpu.barrier
