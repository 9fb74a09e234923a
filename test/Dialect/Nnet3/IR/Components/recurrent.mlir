// RUN: nnet3-opt %s | nnet3-opt | FileCheck %s
// RUN: nnet3-opt %s --verify-roundtrip -o /dev/null

// CHECK-LABEL: nnet3.network @recurrent
nnet3.network @recurrent {
  // CHECK-NEXT: nnet3.lstm_nonlinearity @lstm {cell_dim = 2 : i64, params = dense<1.000000e+00> : tensor<3x2xf32>}
  nnet3.lstm_nonlinearity @lstm {cell_dim = 2, params = dense<1.0> : tensor<3x2xf32>}
  // CHECK-NEXT: nnet3.lstm_nonlinearity @dropout {cell_dim = 2 : i64, use_dropout = true}
  nnet3.lstm_nonlinearity @dropout {cell_dim = 2, use_dropout = true}
  // CHECK-NEXT: nnet3.backprop_truncation @trunc {dim = 2 : i64, recurrence_interval = 3 : i64, zeroing_interval = 30 : i64}
  nnet3.backprop_truncation @trunc {dim = 2, recurrence_interval = 3, zeroing_interval = 30}
  // CHECK-NEXT: nnet3.clip_gradient @clip {clipping_threshold = 3.000000e+01 : f32, dim = 2 : i64, norm_based_clipping = true}
  nnet3.clip_gradient @clip {dim = 2, clipping_threshold = 30.0 : f32, norm_based_clipping = true}
  %a = nnet3.input_node "a" : !nnet3.rows<10>
  %b = nnet3.input_node "b" : !nnet3.rows<13>
  // CHECK: nnet3.component_node "c" @lstm(%{{.*}}) : (!nnet3.rows<10>) -> !nnet3.rows<4>
  %c = nnet3.component_node "c" @lstm(%a) : (!nnet3.rows<10>) -> !nnet3.rows<4>
  // Three columns of scales for dropout.
  // CHECK: nnet3.component_node "d" @dropout(%{{.*}}) : (!nnet3.rows<13>) -> !nnet3.rows<4>
  %d = nnet3.component_node "d" @dropout(%b) : (!nnet3.rows<13>) -> !nnet3.rows<4>
}
