// RUN: nnet3-opt %s --pass-pipeline='builtin.module(nnet3.computation(nnet3-roll-loops))' | FileCheck %s
// RUN: nnet3-opt %s --pass-pipeline='builtin.module(nnet3.computation(nnet3-roll-loops,nnet3-unroll-loops))' | FileCheck %s --check-prefix=UNROLLED
// RUN: nnet3-opt %s --pass-pipeline='builtin.module(nnet3.computation(nnet3-roll-loops{min-rounds=7}))' | FileCheck %s --check-prefix=SEVEN

nnet3.network @net {
  nnet3.tanh @tanh {dim = 4}
  nnet3.backprop_truncation @truncation {dim = 4}
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  %h = nnet3.component_node "h" @tanh(%in) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  nnet3.output_node "output", %h : !nnet3.rows<4>
}

// Each round takes a row, adds the state that the round before has left, and
// leaves another one in its place. The first step, which has no state, stays in
// front, and what is left over of the last one behind; what a step makes for
// itself stays in it.
// CHECK-LABEL: nnet3.computation @state
// CHECK: %[[IN:.*]] = nnet3.accept_input
// CHECK: %[[OUT:.*]] = nnet3.alloc_matrix_undefined : memref<7x4xf32>
// CHECK: %[[STATE:.*]] = nnet3.alloc_matrix_undefined : memref<1x4xf32>
// CHECK-NEXT: nnet3.propagate {{.*}} outs(%[[STATE]]
// CHECK-NEXT: nnet3.loop %[[R:.*]] to 6 {
// CHECK-NEXT:   %[[TO:.*]] = nnet3.moving_sub_matrix %[[OUT]][0 + 1 * %[[R]], 0]
// CHECK-NEXT:   nnet3.matrix_copy %[[STATE]] into %[[TO]]
// CHECK-NEXT:   %[[LOCAL:.*]] = nnet3.alloc_matrix_undefined
// CHECK-NEXT:   %[[ROW:.*]] = nnet3.moving_sub_matrix %[[IN]][1 + 1 * %[[R]], 0]
// CHECK-NEXT:   nnet3.matrix_copy %[[ROW]] into %[[LOCAL]]
// CHECK-NEXT:   nnet3.matrix_add %[[STATE]] into %[[LOCAL]]
// CHECK-NEXT:   nnet3.propagate @net::@tanh ins(%[[LOCAL]] : {{.*}}) outs(%[[STATE]]
// CHECK-NEXT:   nnet3.dealloc_matrix %[[LOCAL]]
// CHECK-NEXT: }
// CHECK-NEXT: nnet3.matrix_copy %[[STATE]]
// CHECK-NEXT: nnet3.dealloc_matrix %[[STATE]]
// UNROLLED-LABEL: nnet3.computation @state
// UNROLLED-NOT: nnet3.loop
// UNROLLED-COUNT-7: nnet3.propagate
// UNROLLED-NOT: nnet3.propagate
// UNROLLED-LABEL: nnet3.computation @kept
// SEVEN-LABEL: nnet3.computation @state
// SEVEN-NOT: nnet3.loop
// SEVEN-LABEL: nnet3.computation @kept
nnet3.computation @state for @net {
  %in = nnet3.accept_input "input" : memref<7x4xf32>
  %i0 = nnet3.sub_matrix %in[0, 0] : memref<7x4xf32> to memref<1x4xf32, strided<[4, 1]>>
  %i1 = nnet3.sub_matrix %in[1, 0] : memref<7x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 4>>
  %i2 = nnet3.sub_matrix %in[2, 0] : memref<7x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 8>>
  %i3 = nnet3.sub_matrix %in[3, 0] : memref<7x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 12>>
  %i4 = nnet3.sub_matrix %in[4, 0] : memref<7x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 16>>
  %i5 = nnet3.sub_matrix %in[5, 0] : memref<7x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 20>>
  %i6 = nnet3.sub_matrix %in[6, 0] : memref<7x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 24>>
  %out = nnet3.alloc_matrix_undefined : memref<7x4xf32>
  %o0 = nnet3.sub_matrix %out[0, 0] : memref<7x4xf32> to memref<1x4xf32, strided<[4, 1]>>
  %o1 = nnet3.sub_matrix %out[1, 0] : memref<7x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 4>>
  %o2 = nnet3.sub_matrix %out[2, 0] : memref<7x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 8>>
  %o3 = nnet3.sub_matrix %out[3, 0] : memref<7x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 12>>
  %o4 = nnet3.sub_matrix %out[4, 0] : memref<7x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 16>>
  %o5 = nnet3.sub_matrix %out[5, 0] : memref<7x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 20>>
  %o6 = nnet3.sub_matrix %out[6, 0] : memref<7x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 24>>
  %s0 = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  nnet3.propagate @net::@tanh ins(%i0 : memref<1x4xf32, strided<[4, 1]>>) outs(%s0 : memref<1x4xf32>)
  nnet3.matrix_copy %s0 into %o0 : memref<1x4xf32> into memref<1x4xf32, strided<[4, 1]>>

  %x1 = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  nnet3.matrix_copy %i1 into %x1 : memref<1x4xf32, strided<[4, 1], offset: 4>> into memref<1x4xf32>
  nnet3.matrix_add %s0 into %x1 : memref<1x4xf32> into memref<1x4xf32>
  nnet3.dealloc_matrix %s0 : memref<1x4xf32>
  %s1 = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  nnet3.propagate @net::@tanh ins(%x1 : memref<1x4xf32>) outs(%s1 : memref<1x4xf32>)
  nnet3.dealloc_matrix %x1 : memref<1x4xf32>
  nnet3.matrix_copy %s1 into %o1 : memref<1x4xf32> into memref<1x4xf32, strided<[4, 1], offset: 4>>

  %x2 = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  nnet3.matrix_copy %i2 into %x2 : memref<1x4xf32, strided<[4, 1], offset: 8>> into memref<1x4xf32>
  nnet3.matrix_add %s1 into %x2 : memref<1x4xf32> into memref<1x4xf32>
  nnet3.dealloc_matrix %s1 : memref<1x4xf32>
  %s2 = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  nnet3.propagate @net::@tanh ins(%x2 : memref<1x4xf32>) outs(%s2 : memref<1x4xf32>)
  nnet3.dealloc_matrix %x2 : memref<1x4xf32>
  nnet3.matrix_copy %s2 into %o2 : memref<1x4xf32> into memref<1x4xf32, strided<[4, 1], offset: 8>>

  %x3 = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  nnet3.matrix_copy %i3 into %x3 : memref<1x4xf32, strided<[4, 1], offset: 12>> into memref<1x4xf32>
  nnet3.matrix_add %s2 into %x3 : memref<1x4xf32> into memref<1x4xf32>
  nnet3.dealloc_matrix %s2 : memref<1x4xf32>
  %s3 = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  nnet3.propagate @net::@tanh ins(%x3 : memref<1x4xf32>) outs(%s3 : memref<1x4xf32>)
  nnet3.dealloc_matrix %x3 : memref<1x4xf32>
  nnet3.matrix_copy %s3 into %o3 : memref<1x4xf32> into memref<1x4xf32, strided<[4, 1], offset: 12>>

  %x4 = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  nnet3.matrix_copy %i4 into %x4 : memref<1x4xf32, strided<[4, 1], offset: 16>> into memref<1x4xf32>
  nnet3.matrix_add %s3 into %x4 : memref<1x4xf32> into memref<1x4xf32>
  nnet3.dealloc_matrix %s3 : memref<1x4xf32>
  %s4 = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  nnet3.propagate @net::@tanh ins(%x4 : memref<1x4xf32>) outs(%s4 : memref<1x4xf32>)
  nnet3.dealloc_matrix %x4 : memref<1x4xf32>
  nnet3.matrix_copy %s4 into %o4 : memref<1x4xf32> into memref<1x4xf32, strided<[4, 1], offset: 16>>

  %x5 = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  nnet3.matrix_copy %i5 into %x5 : memref<1x4xf32, strided<[4, 1], offset: 20>> into memref<1x4xf32>
  nnet3.matrix_add %s4 into %x5 : memref<1x4xf32> into memref<1x4xf32>
  nnet3.dealloc_matrix %s4 : memref<1x4xf32>
  %s5 = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  nnet3.propagate @net::@tanh ins(%x5 : memref<1x4xf32>) outs(%s5 : memref<1x4xf32>)
  nnet3.dealloc_matrix %x5 : memref<1x4xf32>
  nnet3.matrix_copy %s5 into %o5 : memref<1x4xf32> into memref<1x4xf32, strided<[4, 1], offset: 20>>

  %x6 = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  nnet3.matrix_copy %i6 into %x6 : memref<1x4xf32, strided<[4, 1], offset: 24>> into memref<1x4xf32>
  nnet3.matrix_add %s5 into %x6 : memref<1x4xf32> into memref<1x4xf32>
  nnet3.dealloc_matrix %s5 : memref<1x4xf32>
  %s6 = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  nnet3.propagate @net::@tanh ins(%x6 : memref<1x4xf32>) outs(%s6 : memref<1x4xf32>)
  nnet3.dealloc_matrix %x6 : memref<1x4xf32>
  nnet3.matrix_copy %s6 into %o6 : memref<1x4xf32> into memref<1x4xf32, strided<[4, 1], offset: 24>>
  nnet3.dealloc_matrix %s6 : memref<1x4xf32>
  nnet3.provide_output "output", %out : memref<7x4xf32>
}

// What later commands read of every round, here in the opposite order, is in
// one matrix.
// CHECK-LABEL: nnet3.computation @kept
// CHECK: %[[KEPT:.*]] = nnet3.alloc_matrix_undefined : memref<3x4xf32>
// CHECK: nnet3.loop %[[R:.*]] to 3 {
// CHECK:   %[[PART:.*]] = nnet3.moving_sub_matrix %[[KEPT]][0 + 1 * %[[R]], 0]
// CHECK:   nnet3.set_const %[[PART]], 0.0
// CHECK: }
// CHECK: nnet3.loop %[[R:.*]] to 3 {
// CHECK:   nnet3.moving_sub_matrix %[[KEPT]][2 + -1 * %[[R]], 0]
// CHECK: }
// CHECK: nnet3.dealloc_matrix %[[KEPT]]
nnet3.computation @kept for @net {
  %in = nnet3.accept_input "input" : memref<3x4xf32>
  %i0 = nnet3.sub_matrix %in[0, 0] : memref<3x4xf32> to memref<1x4xf32, strided<[4, 1]>>
  %i1 = nnet3.sub_matrix %in[1, 0] : memref<3x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 4>>
  %i2 = nnet3.sub_matrix %in[2, 0] : memref<3x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 8>>
  %k0 = nnet3.alloc_matrix_zeroed : memref<1x4xf32>
  nnet3.matrix_add %i0 into %k0 : memref<1x4xf32, strided<[4, 1]>> into memref<1x4xf32>
  %k1 = nnet3.alloc_matrix_zeroed : memref<1x4xf32>
  nnet3.matrix_add %i1 into %k1 : memref<1x4xf32, strided<[4, 1], offset: 4>> into memref<1x4xf32>
  %k2 = nnet3.alloc_matrix_zeroed : memref<1x4xf32>
  nnet3.matrix_add %i2 into %k2 : memref<1x4xf32, strided<[4, 1], offset: 8>> into memref<1x4xf32>
  nnet3.propagate @net::@tanh ins(%k2 : memref<1x4xf32>) outs(%i2 : memref<1x4xf32, strided<[4, 1], offset: 8>>)
  nnet3.dealloc_matrix %k2 : memref<1x4xf32>
  nnet3.propagate @net::@tanh ins(%k1 : memref<1x4xf32>) outs(%i1 : memref<1x4xf32, strided<[4, 1], offset: 4>>)
  nnet3.dealloc_matrix %k1 : memref<1x4xf32>
  nnet3.propagate @net::@tanh ins(%k0 : memref<1x4xf32>) outs(%i0 : memref<1x4xf32, strided<[4, 1]>>)
  nnet3.dealloc_matrix %k0 : memref<1x4xf32>
  nnet3.provide_output "output", %in : memref<3x4xf32>
}

// One command that names the parts of a matrix one by one names the whole.
// CHECK-LABEL: nnet3.computation @gathered
// CHECK: %[[KEPT:.*]] = nnet3.alloc_matrix_undefined : memref<3x4xf32>
// CHECK: nnet3.loop
// CHECK: nnet3.copy_rows_multi [%[[KEPT]]] <2:0:-1> into
nnet3.computation @gathered for @net {
  %in = nnet3.accept_input "input" : memref<3x4xf32>
  %i0 = nnet3.sub_matrix %in[0, 0] : memref<3x4xf32> to memref<1x4xf32, strided<[4, 1]>>
  %i1 = nnet3.sub_matrix %in[1, 0] : memref<3x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 4>>
  %i2 = nnet3.sub_matrix %in[2, 0] : memref<3x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 8>>
  %k0 = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  nnet3.propagate @net::@tanh ins(%i0 : memref<1x4xf32, strided<[4, 1]>>) outs(%k0 : memref<1x4xf32>)
  %k1 = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  nnet3.propagate @net::@tanh ins(%i1 : memref<1x4xf32, strided<[4, 1], offset: 4>>) outs(%k1 : memref<1x4xf32>)
  %k2 = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  nnet3.propagate @net::@tanh ins(%i2 : memref<1x4xf32, strided<[4, 1], offset: 8>>) outs(%k2 : memref<1x4xf32>)
  nnet3.copy_rows_multi [%k2, %k1, %k0] <0, 0 of 1, 0 of 2> into %in : memref<1x4xf32>, memref<1x4xf32>, memref<1x4xf32> into memref<3x4xf32>
  nnet3.dealloc_matrix %k0 : memref<1x4xf32>
  nnet3.dealloc_matrix %k1 : memref<1x4xf32>
  nnet3.dealloc_matrix %k2 : memref<1x4xf32>
  nnet3.provide_output "output", %in : memref<3x4xf32>
}

// A matrix that nothing frees stays out of loops.
// CHECK-LABEL: nnet3.computation @unfreed
// CHECK-NOT: nnet3.loop
nnet3.computation @unfreed for @net {
  %in = nnet3.accept_input "input" : memref<1x4xf32>
  %a = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  nnet3.matrix_copy %in into %a : memref<1x4xf32> into memref<1x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  nnet3.matrix_copy %in into %b : memref<1x4xf32> into memref<1x4xf32>
  %c = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  nnet3.matrix_copy %in into %c : memref<1x4xf32> into memref<1x4xf32>
  nnet3.provide_output "output", %in : memref<1x4xf32>
}

// Copies of the caller's rows to rows at other distances are no rounds.
// CHECK-LABEL: nnet3.computation @irregular
// CHECK-NOT: nnet3.loop
nnet3.computation @irregular for @net {
  %in = nnet3.accept_input "input" : memref<8x4xf32>
  %i0 = nnet3.sub_matrix %in[0, 0] : memref<8x4xf32> to memref<1x4xf32, strided<[4, 1]>>
  %i1 = nnet3.sub_matrix %in[1, 0] : memref<8x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 4>>
  %i3 = nnet3.sub_matrix %in[3, 0] : memref<8x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 12>>
  %i7 = nnet3.sub_matrix %in[7, 0] : memref<8x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 28>>
  nnet3.set_const %i0, 1.0 : memref<1x4xf32, strided<[4, 1]>>
  nnet3.set_const %i1, 1.0 : memref<1x4xf32, strided<[4, 1], offset: 4>>
  nnet3.set_const %i3, 1.0 : memref<1x4xf32, strided<[4, 1], offset: 12>>
  nnet3.set_const %i7, 1.0 : memref<1x4xf32, strided<[4, 1], offset: 28>>
  nnet3.provide_output "output", %in : memref<8x4xf32>
}

// The time of the rows is data of the loop; the last round is not as far from
// the others.
// CHECK-LABEL: nnet3.computation @times
// CHECK: nnet3.loop %[[R:.*]] to 4 {
// CHECK-NEXT: %[[V:.*]] = nnet3.moving_sub_matrix %{{.*}}[0 + 1 * %[[R]], 0]
// CHECK-NEXT: nnet3.backprop {{.*}} precomputed {first_time = 13 : i64, times = #nnet3.row_table<0>} time + -3 * %[[R]]
// CHECK-NEXT: }
// CHECK: nnet3.backprop {{.*}} precomputed {first_time = 2 : i64, times = #nnet3.row_table<0>}{{$}}
// UNROLLED-LABEL: nnet3.computation @times
// UNROLLED: precomputed {first_time = 13 : i64, times = #nnet3.row_table<0>}{{$}}
// UNROLLED: precomputed {first_time = 10 : i64, times = #nnet3.row_table<0>}{{$}}
// UNROLLED: precomputed {first_time = 7 : i64, times = #nnet3.row_table<0>}{{$}}
// UNROLLED: precomputed {first_time = 4 : i64, times = #nnet3.row_table<0>}{{$}}
// UNROLLED: precomputed {first_time = 2 : i64, times = #nnet3.row_table<0>}{{$}}
nnet3.computation @times for @net {
  %in = nnet3.accept_input "input" : memref<5x4xf32>
  %i0 = nnet3.sub_matrix %in[0, 0] : memref<5x4xf32> to memref<1x4xf32, strided<[4, 1]>>
  %i1 = nnet3.sub_matrix %in[1, 0] : memref<5x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 4>>
  %i2 = nnet3.sub_matrix %in[2, 0] : memref<5x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 8>>
  %i3 = nnet3.sub_matrix %in[3, 0] : memref<5x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 12>>
  %i4 = nnet3.sub_matrix %in[4, 0] : memref<5x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 16>>
  nnet3.backprop @net::@truncation out_deriv(%i0 : memref<1x4xf32, strided<[4, 1]>>) in_deriv(%i0 : memref<1x4xf32, strided<[4, 1]>>) precomputed {first_time = 13 : i64, times = #nnet3.row_table<0>}
  nnet3.backprop @net::@truncation out_deriv(%i1 : memref<1x4xf32, strided<[4, 1], offset: 4>>) in_deriv(%i1 : memref<1x4xf32, strided<[4, 1], offset: 4>>) precomputed {first_time = 10 : i64, times = #nnet3.row_table<0>}
  nnet3.backprop @net::@truncation out_deriv(%i2 : memref<1x4xf32, strided<[4, 1], offset: 8>>) in_deriv(%i2 : memref<1x4xf32, strided<[4, 1], offset: 8>>) precomputed {first_time = 7 : i64, times = #nnet3.row_table<0>}
  nnet3.backprop @net::@truncation out_deriv(%i3 : memref<1x4xf32, strided<[4, 1], offset: 12>>) in_deriv(%i3 : memref<1x4xf32, strided<[4, 1], offset: 12>>) precomputed {first_time = 4 : i64, times = #nnet3.row_table<0>}
  nnet3.backprop @net::@truncation out_deriv(%i4 : memref<1x4xf32, strided<[4, 1], offset: 16>>) in_deriv(%i4 : memref<1x4xf32, strided<[4, 1], offset: 16>>) precomputed {first_time = 2 : i64, times = #nnet3.row_table<0>}
  nnet3.provide_output "output", %in : memref<5x4xf32>
}

// Two matrices in turn make a round of two steps, which has two times.
// CHECK-LABEL: nnet3.computation @alternating
// CHECK: %[[EVEN:.*]] = nnet3.alloc_matrix_undefined
// CHECK: %[[ODD:.*]] = nnet3.alloc_matrix_undefined
// CHECK-NEXT: nnet3.loop %[[R:.*]] to 3 {
// CHECK-NEXT: nnet3.backprop {{.*}}out_deriv(%[[EVEN]] {{.*}}in_deriv(%[[ODD]] {{.*}}first_time = 10 : i64, {{.*}} time + -6 * %[[R]]
// CHECK-NEXT: nnet3.backprop {{.*}}out_deriv(%[[ODD]] {{.*}}in_deriv(%[[EVEN]] {{.*}}first_time = 7 : i64, {{.*}} time + -6 * %[[R]]
// CHECK-NEXT: }
// CHECK-NEXT: nnet3.dealloc_matrix %[[ODD]]
nnet3.computation @alternating for @net {
  %in = nnet3.accept_input "input" : memref<1x4xf32>
  %k0 = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  nnet3.backprop @net::@truncation out_deriv(%in : memref<1x4xf32>) in_deriv(%k0 : memref<1x4xf32>) precomputed {first_time = 13 : i64, times = #nnet3.row_table<0>}
  %k1 = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  nnet3.backprop @net::@truncation out_deriv(%k0 : memref<1x4xf32>) in_deriv(%k1 : memref<1x4xf32>) precomputed {first_time = 10 : i64, times = #nnet3.row_table<0>}
  nnet3.dealloc_matrix %k0 : memref<1x4xf32>
  %k2 = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  nnet3.backprop @net::@truncation out_deriv(%k1 : memref<1x4xf32>) in_deriv(%k2 : memref<1x4xf32>) precomputed {first_time = 7 : i64, times = #nnet3.row_table<0>}
  nnet3.dealloc_matrix %k1 : memref<1x4xf32>
  %k3 = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  nnet3.backprop @net::@truncation out_deriv(%k2 : memref<1x4xf32>) in_deriv(%k3 : memref<1x4xf32>) precomputed {first_time = 4 : i64, times = #nnet3.row_table<0>}
  nnet3.dealloc_matrix %k2 : memref<1x4xf32>
  %k4 = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  nnet3.backprop @net::@truncation out_deriv(%k3 : memref<1x4xf32>) in_deriv(%k4 : memref<1x4xf32>) precomputed {first_time = 1 : i64, times = #nnet3.row_table<0>}
  nnet3.dealloc_matrix %k3 : memref<1x4xf32>
  %k5 = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  nnet3.backprop @net::@truncation out_deriv(%k4 : memref<1x4xf32>) in_deriv(%k5 : memref<1x4xf32>) precomputed {first_time = -2 : i64, times = #nnet3.row_table<0>}
  nnet3.dealloc_matrix %k4 : memref<1x4xf32>
  %k6 = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  nnet3.backprop @net::@truncation out_deriv(%k5 : memref<1x4xf32>) in_deriv(%k6 : memref<1x4xf32>) precomputed {first_time = -5 : i64, times = #nnet3.row_table<0>}
  nnet3.dealloc_matrix %k5 : memref<1x4xf32>
  %k7 = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  nnet3.backprop @net::@truncation out_deriv(%k6 : memref<1x4xf32>) in_deriv(%k7 : memref<1x4xf32>) precomputed {first_time = -8 : i64, times = #nnet3.row_table<0>}
  nnet3.dealloc_matrix %k6 : memref<1x4xf32>
  nnet3.dealloc_matrix %k7 : memref<1x4xf32>
  nnet3.provide_output "output", %in : memref<1x4xf32>
}

// Each step frees two matrices and allocates two, and each time the other one
// takes over the storage of the first. In the loop each keeps its own; storage
// is shared within a step, too.
// CHECK-LABEL: nnet3.computation @shared
// CHECK: %[[IN:.*]] = nnet3.accept_input
// CHECK: %[[A:.*]] = nnet3.alloc_matrix_undefined : memref<1x4xf32>
// CHECK: %[[B:.*]] = nnet3.alloc_matrix_undefined : memref<1x4xf32>
// CHECK-NEXT: nnet3.loop %{{.*}} to 4 {
// CHECK-NEXT:   nnet3.set_const %[[A]], 1.0
// CHECK-NEXT:   nnet3.set_const %[[B]], 0.0
// CHECK-NEXT:   nnet3.propagate @net::@tanh ins(%[[A]] : {{.*}}) outs(%[[B]]
// CHECK-NEXT:   nnet3.set_const %[[A]], 2.0
// CHECK-NEXT:   nnet3.matrix_add %[[A]] into %[[B]]
// CHECK-NEXT:   nnet3.matrix_add %[[B]] into %[[IN]]
// CHECK-NEXT: }
// CHECK-NEXT: nnet3.dealloc_matrix
// CHECK-NEXT: nnet3.dealloc_matrix
// CHECK-NEXT: nnet3.provide_output
nnet3.computation @shared for @net {
  %in = nnet3.accept_input "input" : memref<1x4xf32>
  %a0 = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  nnet3.set_const %a0, 1.0 : memref<1x4xf32>
  %b0 = nnet3.alloc_matrix_zeroed : memref<1x4xf32>
  nnet3.propagate @net::@tanh ins(%a0 : memref<1x4xf32>) outs(%b0 : memref<1x4xf32>)
  %c0 = nnet3.move_matrix %a0 : memref<1x4xf32>
  nnet3.set_const %c0, 2.0 : memref<1x4xf32>
  nnet3.matrix_add %c0 into %b0 : memref<1x4xf32> into memref<1x4xf32>
  nnet3.matrix_add %b0 into %in : memref<1x4xf32> into memref<1x4xf32>
  %a1 = nnet3.move_matrix %b0 : memref<1x4xf32>
  nnet3.set_const %a1, 1.0 : memref<1x4xf32>
  %b1 = nnet3.move_matrix %c0 : memref<1x4xf32>
  nnet3.set_const %b1, 0.0 : memref<1x4xf32>
  nnet3.propagate @net::@tanh ins(%a1 : memref<1x4xf32>) outs(%b1 : memref<1x4xf32>)
  %c1 = nnet3.move_matrix %a1 : memref<1x4xf32>
  nnet3.set_const %c1, 2.0 : memref<1x4xf32>
  nnet3.matrix_add %c1 into %b1 : memref<1x4xf32> into memref<1x4xf32>
  nnet3.matrix_add %b1 into %in : memref<1x4xf32> into memref<1x4xf32>
  %a2 = nnet3.move_matrix %b1 : memref<1x4xf32>
  nnet3.set_const %a2, 1.0 : memref<1x4xf32>
  %b2 = nnet3.move_matrix %c1 : memref<1x4xf32>
  nnet3.set_const %b2, 0.0 : memref<1x4xf32>
  nnet3.propagate @net::@tanh ins(%a2 : memref<1x4xf32>) outs(%b2 : memref<1x4xf32>)
  %c2 = nnet3.move_matrix %a2 : memref<1x4xf32>
  nnet3.set_const %c2, 2.0 : memref<1x4xf32>
  nnet3.matrix_add %c2 into %b2 : memref<1x4xf32> into memref<1x4xf32>
  nnet3.matrix_add %b2 into %in : memref<1x4xf32> into memref<1x4xf32>
  %a3 = nnet3.move_matrix %b2 : memref<1x4xf32>
  nnet3.set_const %a3, 1.0 : memref<1x4xf32>
  %b3 = nnet3.move_matrix %c2 : memref<1x4xf32>
  nnet3.set_const %b3, 0.0 : memref<1x4xf32>
  nnet3.propagate @net::@tanh ins(%a3 : memref<1x4xf32>) outs(%b3 : memref<1x4xf32>)
  %c3 = nnet3.move_matrix %a3 : memref<1x4xf32>
  nnet3.set_const %c3, 2.0 : memref<1x4xf32>
  nnet3.matrix_add %c3 into %b3 : memref<1x4xf32> into memref<1x4xf32>
  nnet3.dealloc_matrix %c3 : memref<1x4xf32>
  nnet3.matrix_add %b3 into %in : memref<1x4xf32> into memref<1x4xf32>
  nnet3.dealloc_matrix %b3 : memref<1x4xf32>
  nnet3.provide_output "output", %in : memref<1x4xf32>
}

// Rows that the table does not name, and that may be undefined, stay out of its
// views.
// CHECK-LABEL: nnet3.computation @gap
// CHECK: %[[FIRST:.*]] = nnet3.sub_matrix %[[ALL:.*]][0, 0] : memref<4x4xf32> to memref<1x4xf32
// CHECK: %[[REST:.*]] = nnet3.sub_matrix %[[ALL]][2, 0] : memref<4x4xf32> to memref<2x4xf32
// CHECK: nnet3.copy_rows_multi [%[[FIRST]], %[[REST]]] <0, 0:1 of 1>
nnet3.computation @gap for @net {
  %in = nnet3.accept_input "input" : memref<3x4xf32>
  %all = nnet3.alloc_matrix_undefined : memref<4x4xf32>
  %0 = nnet3.sub_matrix %all[0, 0] : memref<4x4xf32> to memref<1x4xf32, strided<[4, 1]>>
  %2 = nnet3.sub_matrix %all[2, 0] : memref<4x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 8>>
  %3 = nnet3.sub_matrix %all[3, 0] : memref<4x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 12>>
  nnet3.set_const %0, 1.0 : memref<1x4xf32, strided<[4, 1]>>
  nnet3.set_const %2, 1.0 : memref<1x4xf32, strided<[4, 1], offset: 8>>
  nnet3.set_const %3, 1.0 : memref<1x4xf32, strided<[4, 1], offset: 12>>
  nnet3.copy_rows_multi [%0, %2, %3] <0, 0 of 1, 0 of 2> into %in : memref<1x4xf32, strided<[4, 1]>>, memref<1x4xf32, strided<[4, 1], offset: 8>>, memref<1x4xf32, strided<[4, 1], offset: 12>> into memref<3x4xf32>
  nnet3.dealloc_matrix %all : memref<4x4xf32>
  nnet3.provide_output "output", %in : memref<3x4xf32>
}
