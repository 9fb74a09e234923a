// RUN: nnet3-opt --nnet3-number-draws %s | FileCheck %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.rectified_linear @relu {dim = 4}
  nnet3.per_element_scale @scale {dim = 4}
}

// Commands that may keep statistics have counts of their own; backward,
// components with parameters do not count.
// CHECK-LABEL: nnet3.computation @statistics
nnet3.computation @statistics for @net {
  // CHECK: store_stats @net::@relu {{.*}} draw 0
  // CHECK: store_stats @net::@relu {{.*}} draw 1
  // CHECK: backprop @net::@relu {{.*}} draw 0
  // CHECK: backprop @net::@scale {{.*}} draw 1
  // CHECK: backprop @net::@relu {{.*}} draw 1
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %d = nnet3.accept_input "y" : memref<3x4xf32>
  %e = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  nnet3.store_stats @net::@relu outs(%a : memref<3x4xf32>)
  nnet3.store_stats @net::@relu outs(%a : memref<3x4xf32>)
  nnet3.backprop @net::@relu out_value(%a : memref<3x4xf32>) out_deriv(%d : memref<3x4xf32>) in_deriv(%e : memref<3x4xf32>)
  nnet3.backprop @net::@scale in_value(%a : memref<3x4xf32>) out_deriv(%e : memref<3x4xf32>) in_deriv(%e : memref<3x4xf32>)
  nnet3.backprop @net::@relu out_value(%a : memref<3x4xf32>) out_deriv(%e : memref<3x4xf32>) in_deriv(%d : memref<3x4xf32>)
  nnet3.provide_output "x", %d : memref<3x4xf32>
}
