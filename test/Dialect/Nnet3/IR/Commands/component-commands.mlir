// RUN: nnet3-opt %s | nnet3-opt | FileCheck %s
// RUN: nnet3-opt %s --verify-roundtrip -o /dev/null

nnet3.network @net {
  nnet3.affine @affine {input_dim = 4, output_dim = 2}
  nnet3.rectified_linear @relu {dim = 2}
  nnet3.batch_norm @norm {dim = 2}
  nnet3.backprop_truncation @truncation {dim = 2}
}

// CHECK-LABEL: nnet3.computation @training
nnet3.computation @training for @net need_model_derivative {
  %x = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  %y = nnet3.alloc_matrix_zeroed : memref<3x2xf32>
  %dy = nnet3.alloc_matrix_zeroed : memref<3x2xf32>
  %dx = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  // CHECK: nnet3.propagate @net::@affine ins(%[[X:.*]] : memref<3x4xf32>) outs(%[[Y:.*]] : memref<3x2xf32>)
  nnet3.propagate @net::@affine ins(%x : memref<3x4xf32>) outs(%y : memref<3x2xf32>)
  // In place, with what the component computed from the rows' indexes.
  // CHECK: nnet3.propagate @net::@truncation ins(%[[Y]] : memref<3x2xf32>) outs(%[[Y]] : memref<3x2xf32>) precomputed {first_time = -3 : i64, times = #nnet3.row_table<0, 4, 7>}
  nnet3.propagate @net::@truncation ins(%y : memref<3x2xf32>) outs(%y : memref<3x2xf32>) precomputed {first_time = -3 : i64, times = #nnet3.row_table<0, 4, 7>}
  // CHECK: nnet3.store_stats @net::@relu outs(%[[Y]] : memref<3x2xf32>){{$}}
  nnet3.store_stats @net::@relu outs(%y : memref<3x2xf32>)
  // CHECK: %[[MEMO:.*]] = nnet3.propagate @net::@norm ins(%[[Y]] : memref<3x2xf32>) outs(%[[Y]] : memref<3x2xf32>) -> !nnet3.memo
  %memo = nnet3.propagate @net::@norm ins(%y : memref<3x2xf32>) outs(%y : memref<3x2xf32>) -> !nnet3.memo
  // CHECK: nnet3.store_stats @net::@norm ins(%[[Y]] : memref<3x2xf32>) outs(%[[Y]] : memref<3x2xf32>) memo(%[[MEMO]] : !nnet3.memo)
  nnet3.store_stats @net::@norm ins(%y : memref<3x2xf32>) outs(%y : memref<3x2xf32>) memo(%memo : !nnet3.memo)
  // CHECK: nnet3.backprop @net::@norm out_value(%[[Y]] : memref<3x2xf32>) out_deriv(%[[DY:.*]] : memref<3x2xf32>) in_deriv(%[[DY]] : memref<3x2xf32>) memo(%[[MEMO]] : !nnet3.memo){{$}}
  nnet3.backprop @net::@norm out_value(%y : memref<3x2xf32>) out_deriv(%dy : memref<3x2xf32>) in_deriv(%dy : memref<3x2xf32>) memo(%memo : !nnet3.memo)
  // CHECK: nnet3.backprop @net::@affine in_value(%[[X]] : memref<3x4xf32>) out_deriv(%[[DY]] : memref<3x2xf32>) in_deriv(%[[DX:.*]] : memref<3x4xf32>) update
  nnet3.backprop @net::@affine in_value(%x : memref<3x4xf32>) out_deriv(%dy : memref<3x2xf32>) in_deriv(%dx : memref<3x4xf32>) update
  // Only the model's derivative.
  // CHECK: nnet3.backprop @net::@affine in_value(%[[X]] : memref<3x4xf32>) out_deriv(%[[DY]] : memref<3x2xf32>) update
  nnet3.backprop @net::@affine in_value(%x : memref<3x4xf32>) out_deriv(%dy : memref<3x2xf32>) update
}
