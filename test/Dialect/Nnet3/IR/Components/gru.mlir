// RUN: nnet3-opt %s | nnet3-opt | FileCheck %s
// RUN: nnet3-opt %s --verify-roundtrip -o /dev/null

// CHECK-LABEL: nnet3.network @gru
nnet3.network @gru {
  // CHECK-NEXT: nnet3.gru_nonlinearity @gru {cell_dim = 3 : i64, w_h = dense<1.000000e+00> : tensor<3x3xf32>}
  nnet3.gru_nonlinearity @gru {cell_dim = 3, w_h = dense<1.0> : tensor<3x3xf32>}
  // CHECK-NEXT: nnet3.gru_nonlinearity @projected {cell_dim = 3 : i64, recurrent_dim = 2 : i64, self_repair_scale = 5.000000e-01 : f32, w_h = dense<1.000000e+00> : tensor<3x2xf32>}
  nnet3.gru_nonlinearity @projected {cell_dim = 3, recurrent_dim = 2, self_repair_scale = 0.5 : f32, w_h = dense<1.0> : tensor<3x2xf32>}
  // CHECK-NEXT: nnet3.output_gru_nonlinearity @opgru {cell_dim = 3 : i64, rank = 4 : i64, w_h = dense<1.000000e+00> : tensor<3xf32>}
  nnet3.output_gru_nonlinearity @opgru {cell_dim = 3, rank = 4, w_h = dense<1.0> : tensor<3xf32>}
  %a = nnet3.input_node "a" : !nnet3.rows<12>
  %b = nnet3.input_node "b" : !nnet3.rows<13>
  %c = nnet3.input_node "c" : !nnet3.rows<9>
  // CHECK: nnet3.component_node "d" @gru(%{{.*}}) : (!nnet3.rows<12>) -> !nnet3.rows<6>
  %d = nnet3.component_node "d" @gru(%a) : (!nnet3.rows<12>) -> !nnet3.rows<6>
  // A recurrent part of its own is another block of the input.
  // CHECK: nnet3.component_node "e" @projected(%{{.*}}) : (!nnet3.rows<13>) -> !nnet3.rows<6>
  %e = nnet3.component_node "e" @projected(%b) : (!nnet3.rows<13>) -> !nnet3.rows<6>
  // CHECK: nnet3.component_node "f" @opgru(%{{.*}}) : (!nnet3.rows<9>) -> !nnet3.rows<6>
  %f = nnet3.component_node "f" @opgru(%c) : (!nnet3.rows<9>) -> !nnet3.rows<6>
}
