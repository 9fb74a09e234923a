// What components precompute from their rows is found out for all sequences;
// statistics, memos and derivatives are as the compiler has them.

// RUN: nnet3-opt --nnet3-shortcut-compile=optimize=false %s | FileCheck %s
// RUN: nnet3-opt --nnet3-shortcut-compile=optimize=false %s -o %t.expanded
// RUN: nnet3-opt --nnet3-compile %s | diff - %t.expanded
// RUN: nnet3-opt --nnet3-shortcut-compile %s -o %t.expanded
// RUN: nnet3-opt --nnet3-compile --nnet3-optimize %s | diff - %t.expanded

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  nnet3.tdnn @tdnn {input_dim = 4, output_dim = 3, time_offsets = array<i64: -1, 0, 2>}
  %a = nnet3.component_node "a" @tdnn(%in) : (!nnet3.rows<4>) -> !nnet3.rows<3>
  nnet3.batch_norm @norm {dim = 3}
  %b = nnet3.component_node "b" @norm(%a) : (!nnet3.rows<3>) -> !nnet3.rows<3>
  nnet3.backprop_truncation @truncation {dim = 3, zeroing_interval = 4, recurrence_interval = 1}
  %c = nnet3.component_node "c" @truncation(%b) : (!nnet3.rows<3>) -> !nnet3.rows<3>
  nnet3.general_dropout @dropout {dim = 3, dropout_proportion = 0.5 : f32, time_period = 4}
  %d = nnet3.component_node "d" @dropout(%c) : (!nnet3.rows<3>) -> !nnet3.rows<3>
  nnet3.output_node "output", %d : !nnet3.rows<3>
}

// A frame of every third time: the rows of three times are neighbours.
// CHECK-LABEL: nnet3.computation @grid_computation
// CHECK: nnet3.propagate @net::@tdnn {{.*}} precomputed {row_offsets = array<i64: 0, 1, 15>, row_stride = 3 : i64}
// CHECK: nnet3.store_stats @net::@norm
// CHECK: nnet3.propagate @net::@dropout {{.*}} precomputed {indexes = #nnet3.row_table<{{.*}}>, num_mask_rows = 10 : i64}
// The truncation depends on t - n.
// CHECK: nnet3.backprop @net::@truncation {{.*}} precomputed {first_time = -4 : i64, times = #nnet3.row_table<{{.*}}>}
// CHECK: nnet3.backprop @net::@tdnn {{.*}} precomputed {row_offsets = array<i64: 0, 1, 15>, row_stride = 3 : i64}
// CHECK-NOT: nnet3.precomputed_from
// CHECK-NOT: nnet3.sequence_stride
nnet3.request @grid for @net need_model_derivative store_component_stats {
  nnet3.request_input "input" <n = 0:4, t = -3:8> deriv
  nnet3.request_output "output" <n = 0:4, t = 0:6:3> deriv
}
