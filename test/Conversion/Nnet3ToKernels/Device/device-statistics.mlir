// RUN: nnet3-opt --nnet3-number-draws --convert-nnet3-to-kernels=device=true --kernel-infer-alignment --kernel-fuse-maps --kernel-outline --convert-kernel-to-threads %s | FileCheck %s
// RUN: nnet3-opt --nnet3-number-draws --convert-nnet3-to-kernels=device=true --kernel-infer-alignment --kernel-fuse-maps --kernel-outline --convert-kernel-to-threads --convert-nnet3-kernels-to-gpu %s | FileCheck %s --check-prefix=GPU

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  %u = nnet3.input_node "u" : !nnet3.rows<10>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.tanh @tanh {dim = 4, self_repair_scale = 1.000000e-02 : f32}
  nnet3.lstm_nonlinearity @lstm {cell_dim = 2}
}

// Those of the network come first, then those of the gradient of components
// with parameters. Numbers take two floats each.
// CHECK: kernel.entry @tanh
// CHECK-SAME: statistics [#kernel.statistic<component = "tanh", gradient = false, offset = [[TANH:[0-9]+]], size = 16>, #kernel.statistic<component = "lstm", gradient = false, offset = {{[0-9]+}}, size = 26>, #kernel.statistic<component = "lstm", gradient = true, offset = {{[0-9]+}}, size = 26>]
// CHECK-LABEL: func.func @tanh
// The forward pass: whether it is kept, which is a random number, and sums.
// CHECK: %[[DRAW:.*]] = arith.constant 1073741824 : index
// CHECK: %[[PLACE:.*]] = arith.constant [[TANH]] : index
// CHECK: call @[[DECIDE:stage_[0-9]+]]({{.*}}, %[[DRAW]], %[[PLACE]],
// CHECK: call @[[KEPT_SUMS:stage_[0-9]+]]
// The backward pass: the same of the squares of the derivative, the derivative
// itself, and what self-repair does to it.
// CHECK: arith.constant 2147483648 : index
// CHECK: call @stage
// CHECK: call @stage
// CHECK: call @map_rows
// CHECK: call @[[REPAIR:stage_[0-9]+]]
// CHECK-NEXT: return
nnet3.computation @tanh for @net {
  %y = nnet3.accept_input "x" : memref<3x4xf32>
  %d = nnet3.accept_input "y" : memref<3x4xf32>
  %e = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  nnet3.store_stats @net::@tanh outs(%y : memref<3x4xf32>)
  nnet3.backprop @net::@tanh out_value(%y : memref<3x4xf32>) out_deriv(%d : memref<3x4xf32>) in_deriv(%e : memref<3x4xf32>)
  nnet3.provide_output "x", %e : memref<3x4xf32>
}

// What repairs an LSTM is found once, its statistics for each command.
// CHECK-LABEL: func.func @lstm
// CHECK: call @[[REPAIRS:stage_[0-9]+]]
// CHECK: call @[[SUMS:stage_[0-9]+]]
// CHECK: call @map_rows
// CHECK-NOT: call @[[REPAIRS]]
// CHECK: call @[[SUMS]]
nnet3.computation @lstm for @net {
  %x = nnet3.accept_input "u" : memref<3x10xf32>
  %d = nnet3.accept_input "y" : memref<3x4xf32>
  %e = nnet3.alloc_matrix_undefined : memref<3x10xf32>
  nnet3.backprop @net::@lstm in_value(%x : memref<3x10xf32>) out_deriv(%d : memref<3x4xf32>) in_deriv(%e : memref<3x10xf32>) update
  nnet3.backprop @net::@lstm in_value(%x : memref<3x10xf32>) out_deriv(%d : memref<3x4xf32>) in_deriv(%e : memref<3x10xf32>) update
  nnet3.provide_output "u", %e : memref<3x10xf32>
}

// Sums that are not kept read no rows.
// CHECK: func.func private @[[KEPT_SUMS]]
// CHECK: %[[ISKEPT:.*]] = arith.cmpf olt
// CHECK: %[[END:.*]] = arith.select %[[ISKEPT]], %c3{{[_0-9]*}}, %c0
// CHECK: scf.for {{.*}} to %[[END]]

// GPU: gpu.func @stage
