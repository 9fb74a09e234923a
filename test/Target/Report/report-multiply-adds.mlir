// RUN: nnet3-opt %s --nnet3-compile --nnet3-report=%t.html -o /dev/null
// RUN: %python %S/Inputs/read_report.py %t.html | FileCheck %s
// RUN: nnet3-opt %s --nnet3-compile --nnet3-fuse-affine --nnet3-report=%t.fused.html -o /dev/null
// RUN: %python %S/Inputs/read_report.py %t.fused.html | FileCheck %s --check-prefix=FUSED

// The multiply-adds of products with weights: rows times weights, times how often
// a row uses each.

// 5 rows, 8 x 6 weights.
// CHECK-DAG: propagate @affine {{.*}}, 240 multiply-adds
// 5 rows, 2 blocks of 4 x 4.
// CHECK-DAG: propagate @repeated {{.*}}, 160 multiply-adds
// 3 rows, 2 x (2 * 3) weights at 2 heights.
// CHECK-DAG: propagate @cnn {{.*}}, 72 multiply-adds
// CHECK-DAG: propagate @relu {{[^,]*}}, {{[0-9]+}} live{{$}}
// 3 rows, 2 heads, 3 frames, keys of 1 and values of 1 column.
// CHECK-DAG: propagate @attention {{.*}}, 36 multiply-adds
// Both derivatives of 5 rows; of the input of the network none is asked for.
// CHECK-DAG: backprop @repeated {{.*}}, 320 multiply-adds
// CHECK-DAG: backprop @affine {{.*}}, 240 multiply-adds
// FUSED-DAG: fused_affine @affine {{.*}}, 240 multiply-adds
nnet3.network @net {
  nnet3.affine @affine {input_dim = 6, output_dim = 8}
  nnet3.repeated_affine @repeated {input_dim = 8, num_repeats = 2, output_dim = 8}
  nnet3.rectified_linear @relu {dim = 8}
  nnet3.time_height_convolution @cnn {height_in = 4, height_out = 2, height_subsample_out = 2, num_filters_in = 2, num_filters_out = 2, offsets = array<i64: -1, 0, 0, 0, 1, 0>}
  nnet3.linear @keys {input_dim = 4, output_dim = 12}
  nnet3.restricted_attention @attention {key_dim = 1, num_heads = 2, num_left_inputs = 1, num_left_inputs_required = 0, num_right_inputs = 1, num_right_inputs_required = 0, value_dim = 1, output_context = false}
  %in = nnet3.input_node "input" : !nnet3.rows<6>
  %a = nnet3.component_node "affine" @affine(%in) : (!nnet3.rows<6>) -> !nnet3.rows<8>
  %b = nnet3.component_node "repeated" @repeated(%a) : (!nnet3.rows<8>) -> !nnet3.rows<8>
  %c = nnet3.component_node "relu" @relu(%b) : (!nnet3.rows<8>) -> !nnet3.rows<8>
  %d = nnet3.component_node "cnn" @cnn(%c) : (!nnet3.rows<8>) -> !nnet3.rows<4>
  %e = nnet3.component_node "keys" @keys(%d) : (!nnet3.rows<4>) -> !nnet3.rows<12>
  %f = nnet3.component_node "attention" @attention(%e) : (!nnet3.rows<12>) -> !nnet3.rows<2>
  nnet3.output_node "output", %f : !nnet3.rows<2>
}

nnet3.request @request for @net need_model_derivative {
  nnet3.request_input "input" <n = 0, t = 0:4>
  nnet3.request_output "output" <n = 0, t = 1:3> deriv
}
