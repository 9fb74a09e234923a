// RUN: nnet3-opt --nnet3-shortcut-compile=optimize=false %s | FileCheck %s
// RUN: nnet3-opt --nnet3-shortcut-compile="optimize=false fold-sequences=false" %s | FileCheck %s
// RUN: nnet3-opt --nnet3-shortcut-compile %s | FileCheck %s --check-prefix=OPTIMIZED
// RUN: nnet3-opt --nnet3-shortcut-compile="optimize=false passes=nnet3-convert-addition,nnet3-remove-unnecessary-zeroing" %s | FileCheck %s --check-prefix=PASSES

// With each request compiled as it is, the same comes out.
// RUN: nnet3-opt --nnet3-shortcut-compile="optimize=false debug-info" %s -o %t.expanded
// RUN: nnet3-opt --nnet3-compile=debug-info %s | diff - %t.expanded
// RUN: nnet3-opt --nnet3-shortcut-compile=debug-info %s -o %t.expanded
// RUN: nnet3-opt --nnet3-compile=debug-info --nnet3-optimize %s | diff - %t.expanded

// Requests that differ only in the number of sequences are compiled once.
// RUN: nnet3-opt --nnet3-shortcut-compile --mlir-print-ir-before=nnet3-renumber %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONCE
// ONCE-COUNT-3: IR Dump Before
// ONCE-NOT: IR Dump Before

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  %next = nnet3.offset %in, t = 1 : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 4}
  %a = nnet3.component_node "a" @affine(%next) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  nnet3.output_node "output", %a : !nnet3.rows<4>
}

// The example of the specification: the rows of four sequences of one frame are
// neighbours.
// CHECK-LABEL: nnet3.computation @time_slowest_computation
// CHECK: %[[IN:.*]] = nnet3.accept_input "input" : memref<12x4xf32>
// CHECK: nnet3.add_rows %[[IN]] <[2 x +4](4:7)> into {{.*}} : memref<12x4xf32> into memref<8x4xf32>
// OPTIMIZED-LABEL: nnet3.computation @time_slowest_computation
// OPTIMIZED: nnet3.sub_matrix %{{.*}}[4, 0] : memref<12x4xf32> to memref<8x4xf32
// PASSES-LABEL: nnet3.computation @time_slowest_computation
// PASSES: nnet3.alloc_matrix_undefined : memref<8x4xf32>
// PASSES: nnet3.copy_rows %{{.*}} <[2 x +4](4:7)>
nnet3.request @time_slowest for @net {
  nnet3.request_input "input" <n = 0:3, t = 0:2, order = tn>
  nnet3.request_output "output" <n = 0:3, t = 0:1, order = tn>
}

// CHECK-LABEL: nnet3.computation @more_sequences_computation
// CHECK: nnet3.add_rows %{{.*}} <[2 x +64](64:127)> into {{.*}} : memref<192x4xf32> into memref<128x4xf32>
nnet3.request @more_sequences for @net {
  nnet3.request_input "input" <n = 0:63, t = 0:2, order = txn>
  nnet3.request_output "output" <n = 0:63, t = 0:1, order = tn>
}

// CHECK-LABEL: nnet3.computation @sequence_slowest_computation
// CHECK: nnet3.add_rows %{{.*}} <[2 x +1](1:13:3)> into {{.*}} : memref<15x4xf32> into memref<10x4xf32>
nnet3.request @sequence_slowest for @net {
  nnet3.request_input "input" <n = 0:4, t = 0:2>
  nnet3.request_output "output" <n = 0:4, t = 0:1>
}

// Pairs of frames of each sequence.
// CHECK-LABEL: nnet3.computation @grouped_computation
// CHECK: nnet3.add_rows %{{.*}} <[2 x +5](1:5:2)> into {{.*}} : memref<12x4xf32> into memref<6x4xf32>
nnet3.request @grouped for @net {
  nnet3.request_input "input" <[(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1),
                                (0, 2), (0, 3), (1, 2), (1, 3), (2, 2), (2, 3)]>
  nnet3.request_output "output" <n = 0:2, t = 0:1, order = tn>
}

// CHECK-LABEL: nnet3.computation @grouped_more_computation
// CHECK: nnet3.add_rows %{{.*}} <[2 x +7](1:7:2)> into {{.*}} : memref<16x4xf32> into memref<8x4xf32>
nnet3.request @grouped_more for @net {
  nnet3.request_input "input" <[(0, 0), (0, 1), (1, 0), (1, 1),
                                (2, 0), (2, 1), (3, 0), (3, 1),
                                (0, 2), (0, 3), (1, 2), (1, 3),
                                (2, 2), (2, 3), (3, 2), (3, 3)]>
  nnet3.request_output "output" <n = 0:3, t = 0:1, order = tn>
}
