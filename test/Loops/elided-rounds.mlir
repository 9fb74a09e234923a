// RUN: nnet3-opt %s --nnet3-compile=elide-rounds | FileCheck %s
// RUN: nnet3-opt %s --pass-pipeline='builtin.module(nnet3-compile{elide-rounds},nnet3-optimize{check},nnet3.computation(nnet3-roll-loops))' | FileCheck %s --check-prefix=ROLLED
// RUN: nnet3-opt %s --pass-pipeline='builtin.module(nnet3-compile{elide-rounds},nnet3-optimize,nnet3.computation(nnet3-roll-loops,nnet3-unroll-loops))' | FileCheck %s --check-prefix=UNROLLED
// RUN: nnet3-opt %s --pass-pipeline='builtin.module(nnet3-shortcut-frames{elide-rounds passes=nnet3-optimize})' | FileCheck %s --check-prefix=ROLLED

// Without passes, matrices of rounds stay until the end, so nothing can be
// rolled, and all rounds are compiled.
// RUN: nnet3-opt %s --pass-pipeline='builtin.module(nnet3-shortcut-frames{elide-rounds})' > %t.elided
// RUN: nnet3-opt %s --nnet3-compile | diff %t.elided -

// Outputs read the states, which form one matrix of 90 rows; the sums are for
// the next round only. Matrices that live for two rounds are used in turn, so
// the number of elided rounds is even.
// CHECK-LABEL: nnet3.computation @states_computation
// CHECK: %[[INPUT:.*]] = nnet3.accept_input "input"
// CHECK: %[[STATES:.*]] = nnet3.alloc_matrix_zeroed : memref<90x3xf32>
// CHECK-COUNT-3: nnet3.propagate @net::@tanh
// CHECK-NEXT: %[[READ:.*]] = nnet3.sub_matrix %[[INPUT]][3, 0] : memref<90x3xf32> to memref<84x3xf32, strided<[3, 1], offset: 9>>
// CHECK-NEXT: %[[BEFORE:.*]] = nnet3.sub_matrix %[[STATES]][2, 0] : memref<90x3xf32> to memref<1x3xf32, strided<[3, 1], offset: 6>>
// CHECK-NEXT: %[[ROWS:.*]] = nnet3.sub_matrix %[[STATES]][3, 0] : memref<90x3xf32> to memref<84x3xf32, strided<[3, 1], offset: 9>>
// CHECK-NEXT: nnet3.elided_rounds 84 reads(%[[READ]], %[[BEFORE]] :{{.*}} writes(%[[ROWS]] :
// CHECK-NEXT: %[[LAST:.*]] = nnet3.sub_matrix %[[STATES]][86, 0]
// CHECK-NEXT: nnet3.matrix_add %[[LAST]]
// CHECK-COUNT-3: nnet3.propagate @net::@tanh
// CHECK-NOT: nnet3.propagate @net::@tanh
// CHECK: nnet3.matrix_add %[[STATES]]
// ROLLED-LABEL: nnet3.computation @states_computation
// ROLLED: nnet3.loop
// ROLLED-NOT: elided_rounds
// ROLLED-NOT: nnet3.loop
// UNROLLED-LABEL: nnet3.computation @states_computation
// UNROLLED-COUNT-90: nnet3.propagate @net::@tanh
// UNROLLED-NOT: nnet3.propagate @net::@tanh

// The backward pass reads the states and their derivatives. The rounds behind
// the elided ones have added to a state derivative, that of the last elided
// round; the elided ones are the first to write derivatives of inputs.
// CHECK-LABEL: nnet3.computation @backward_computation
// CHECK-NEXT: nnet3.accept_input "input"
// CHECK-NEXT: %[[INPUT_DERIV:.*]] = nnet3.alloc_matrix_zeroed : memref<90x3xf32>
// CHECK: %[[STATES:.*]] = nnet3.alloc_matrix_zeroed : memref<90x3xf32>
// CHECK-NEXT: %[[DERIVS:.*]] = nnet3.alloc_matrix_zeroed : memref<90x3xf32>
// CHECK: nnet3.elided_rounds 84 reads(
// CHECK-COUNT-2: nnet3.backprop @net::@tanh
// CHECK: nnet3.add_rows
// CHECK-NEXT: %[[VALUE:.*]] = nnet3.sub_matrix %[[STATES]][4, 0] : memref<90x3xf32> to memref<84x3xf32, strided<[3, 1], offset: 12>>
// CHECK-NEXT: %[[NEW:.*]] = nnet3.sub_matrix %[[INPUT_DERIV]][4, 0] : memref<90x3xf32> to memref<84x3xf32, strided<[3, 1], offset: 12>>
// CHECK-NEXT: %[[ADDED:.*]] = nnet3.sub_matrix %[[DERIVS]][3, 0] : memref<90x3xf32> to memref<85x3xf32, strided<[3, 1], offset: 9>>
// CHECK-NEXT: nnet3.elided_rounds 84 reads(%[[VALUE]], %[[ADDED]] :{{.*}} writes(%[[NEW]], %[[ADDED]] :
// CHECK-COUNT-4: nnet3.backprop @net::@tanh
// CHECK-NOT: nnet3.backprop
// ROLLED-LABEL: nnet3.computation @backward_computation
// ROLLED: nnet3.loop
// ROLLED: nnet3.propagate @net::@tanh
// ROLLED: nnet3.no_operation_marker
// ROLLED-NOT: elided_rounds
// ROLLED: nnet3.loop
// ROLLED-NEXT: nnet3.moving_sub_matrix
// ROLLED: nnet3.backprop @net::@tanh
// UNROLLED-LABEL: nnet3.computation @backward_computation
// UNROLLED-COUNT-90: nnet3.backprop @net::@tanh
// UNROLLED-NOT: nnet3.backprop @net::@tanh

// The row of a round is in one place for each sequence: a table, which cannot
// move.
// CHECK-LABEL: nnet3.computation @sequences_computation
// CHECK-NOT: elided_rounds
// UNROLLED-LABEL: nnet3.computation @sequences_computation

// Only the last state is read, so states of elided rounds need no place.
// CHECK-LABEL: nnet3.computation @last_computation
// CHECK: nnet3.elided_rounds 84 reads(%{{[0-9]+}} : memref<84x3xf32, {{.*}}>){{$}}
// ROLLED-LABEL: nnet3.computation @last_computation
// ROLLED: nnet3.loop
// ROLLED-NOT: nnet3.alloc_matrix{{.*}} : memref<{{[0-9][0-9]+}}x
// ROLLED: nnet3.provide_output
// UNROLLED-LABEL: nnet3.computation @last_computation
// UNROLLED-COUNT-90: nnet3.propagate @net::@tanh

// Only one of three steps has an output. The command that adds derivatives of
// outputs to those of the states is one on their whole matrix, so the rounds
// are alike.
// CHECK-LABEL: nnet3.computation @some_computation
// CHECK: nnet3.no_operation_marker
// CHECK: nnet3.elided_rounds 84
// ROLLED-LABEL: nnet3.computation @some_computation
// ROLLED: nnet3.no_operation_marker
// ROLLED: nnet3.loop
// ROLLED-NOT: elided_rounds
// ROLLED: provide_output

// The model is updated with all rows of the rounds at once, and with those of
// the first and the last step, which are not part of the rounds.
// CHECK-LABEL: nnet3.computation @update_computation
// CHECK: %[[INPUTS:.*]] = nnet3.alloc_matrix_zeroed : memref<88x6xf32>
// CHECK: nnet3.alloc_matrix_zeroed : memref<88x3xf32>
// CHECK-NEXT: %[[DERIVS:.*]] = nnet3.alloc_matrix_zeroed : memref<88x3xf32>
// CHECK: nnet3.no_operation_marker
// CHECK: nnet3.backprop @updated::@affine {{.*}} update
// CHECK: nnet3.elided_rounds 82
// CHECK-COUNT-3: nnet3.backprop @updated::@affine {{.*}} in_deriv(%{{[0-9]+}} : memref<1x6xf32>){{$}}
// CHECK: nnet3.backprop @updated::@affine in_value(%[[INPUTS]] : {{.*}} out_deriv(%[[DERIVS]] : memref<88x3xf32>) update
// CHECK-NEXT: nnet3.backprop @updated::@affine {{.*}} update
// ROLLED-LABEL: nnet3.computation @update_computation
// ROLLED: nnet3.loop
// ROLLED: nnet3.loop
// ROLLED-NOT: elided_rounds
// ROLLED: nnet3.backprop @updated::@affine in_value(%{{[0-9]+}} : memref<90x6xf32>) out_deriv(%{{[0-9]+}} : memref<90x3xf32>) update
// ROLLED-NOT: update

// Rounds of @second read states of @first, and so do those of @third, but only
// for the first 60 steps. In the backward pass of @second, which comes after
// that of @third, 60 rounds add to the derivatives of states, and the others
// copy.
// CHECK-LABEL: nnet3.computation @some_ranges_computation
// CHECK: nnet3.no_operation_marker
// CHECK: nnet3.elided_rounds 54
// CHECK-COUNT-2: nnet3.backprop @ranges::@second
// CHECK: nnet3.elided_rounds 54
// CHECK-COUNT-2: nnet3.backprop @ranges::@second
// CHECK: nnet3.elided_rounds 24
// CHECK-COUNT-2: nnet3.backprop @ranges::@second
// CHECK: nnet3.elided_rounds 84
// ROLLED-LABEL: nnet3.computation @some_ranges_computation
// ROLLED-NOT: elided_rounds
// ROLLED: nnet3.no_operation_marker
// ROLLED-NOT: elided_rounds
// ROLLED: nnet3.loop %{{.*}} to 59 {
// ROLLED: nnet3.backprop @ranges::@third
// ROLLED: nnet3.loop %[[ROUND:.*]] to 60 {
// ROLLED: nnet3.backprop @ranges::@second
// ROLLED: %[[STATE:.*]] = nnet3.moving_sub_matrix %{{[0-9]+}}[0 + 1 * %[[ROUND]], 0]
// ROLLED: nnet3.matrix_add %{{[0-9]+}} into %[[STATE]]
// ROLLED: nnet3.loop %[[ROUND:.*]] to 29 {
// ROLLED: %[[STATE:.*]] = nnet3.moving_sub_matrix %{{[0-9]+}}[60 + 1 * %[[ROUND]], 0]
// ROLLED: nnet3.backprop @ranges::@second {{.*}} in_deriv(%[[STATE]] :
// ROLLED: nnet3.loop
// ROLLED: nnet3.backprop @ranges::@first
// ROLLED-NOT: elided_rounds
// Outputs read the states of the last 45 rounds. The others must not be
// overwritten either, although nothing else reads them.
// CHECK-LABEL: nnet3.computation @late_computation
// CHECK: %[[STATES:.*]] = nnet3.alloc_matrix_zeroed : memref<89x3xf32>
// CHECK: nnet3.elided_rounds 82
// CHECK: nnet3.propagate @kept::@second
// CHECK: nnet3.keep_rows %[[STATES]] : memref<89x3xf32>
// CHECK: nnet3.add_rows_multi [%[[STATES]], %{{[0-9]+}}] <45:88, 0 of 1>
// ROLLED-LABEL: nnet3.computation @late_computation
// ROLLED: nnet3.loop
// ROLLED: nnet3.propagate @kept::@second ins(%[[STATE:[0-9]+]] : {{.*}} outs(%[[OTHER:[0-9]+]]
// ROLLED-NOT: elided_rounds
// ROLLED-NOT: keep_rows
// ROLLED-NOT: nnet3.loop
// UNROLLED-LABEL: nnet3.computation @late_computation
// UNROLLED-COUNT-90: nnet3.propagate @kept::@first

// Outputs read columns of the rounds' rows, which are columns of their stack.
// CHECK-LABEL: nnet3.computation @columns_computation
// CHECK: nnet3.alloc_matrix_zeroed : memref<88x6xf32>
// CHECK: %[[ROWS:.*]] = nnet3.alloc_matrix_zeroed : memref<88x6xf32>
// CHECK-NEXT: %[[DERIVS:.*]] = nnet3.alloc_matrix_zeroed : memref<88x6xf32>
// CHECK: nnet3.elided_rounds 82
// CHECK: %[[COLUMNS:.*]] = nnet3.sub_matrix %[[ROWS]][0, 3]
// CHECK: nnet3.add_rows_multi [%{{[0-9]+}}, %[[COLUMNS]], %{{[0-9]+}}] <0, 0:87 of 1, 0 of 2>
// CHECK: %[[COLUMNS:.*]] = nnet3.sub_matrix %[[DERIVS]][0, 3]
// CHECK: nnet3.add_to_rows_multi %{{[0-9]+}} into [%{{[0-9]+}}, %[[COLUMNS]], %{{[0-9]+}}] <0, 0:87 of 1, 0 of 2>
// CHECK: nnet3.elided_rounds 82
// CHECK-NOT: elided_rounds
// ROLLED-LABEL: nnet3.computation @columns_computation
// ROLLED: nnet3.loop
// ROLLED: nnet3.loop
// ROLLED-NOT: elided_rounds
nnet3.network @net {
  nnet3.linear @out {input_dim = 3, output_dim = 2}
  nnet3.tanh @tanh {dim = 3}
  %input = nnet3.input_node "input" : !nnet3.rows<3>
  %before = nnet3.offset %state, t = -1 : !nnet3.rows<3>
  %optional = nnet3.if_defined %before : !nnet3.rows<3>
  %sum = nnet3.sum %input, %optional : !nnet3.rows<3>
  %state = nnet3.component_node "state" @tanh(%sum) : (!nnet3.rows<3>) -> !nnet3.rows<3>
  %rows = nnet3.component_node "rows" @out(%state) : (!nnet3.rows<3>) -> !nnet3.rows<2>
  nnet3.output_node "output", %rows : !nnet3.rows<2>
}
nnet3.request @states for @net {
  nnet3.request_input "input" <t = 0:89>
  nnet3.request_output "output" <t = 0:89>
}
nnet3.request @backward for @net {
  nnet3.request_input "input" <t = 0:89> deriv
  nnet3.request_output "output" <t = 0:89> deriv
}
nnet3.request @sequences for @net {
  nnet3.request_input "input" <n = 0:1, t = 0:89>
  nnet3.request_output "output" <n = 0:1, t = 0:89>
}
nnet3.request @last for @net {
  nnet3.request_input "input" <t = 0:89>
  nnet3.request_output "output" <t = 89>
}
nnet3.request @some for @net {
  nnet3.request_input "input" <t = 0:89> deriv
  nnet3.request_output "output" <t = 2:89:3> deriv
}
nnet3.network @updated {
  nnet3.affine @affine {input_dim = 6, output_dim = 3, linear_params = dense<1.0> : tensor<3x6xf32>, bias_params = dense<0.0> : tensor<3xf32>}
  %input = nnet3.input_node "input" : !nnet3.rows<3>
  %before = nnet3.offset %state, t = -1 : !nnet3.rows<3>
  %optional = nnet3.if_defined %before : !nnet3.rows<3>
  %both = nnet3.append %input, %optional : (!nnet3.rows<3>, !nnet3.rows<3>) -> !nnet3.rows<6>
  %state = nnet3.component_node "state" @affine(%both) : (!nnet3.rows<6>) -> !nnet3.rows<3>
  nnet3.output_node "output", %state : !nnet3.rows<3>
}
nnet3.request @update for @updated need_model_derivative {
  nnet3.request_input "input" <t = 0:89>
  nnet3.request_output "output" <t = 0:89> deriv
}
nnet3.network @ranges {
  nnet3.tanh @first {dim = 3}
  nnet3.tanh @third {dim = 3}
  nnet3.tanh @second {dim = 3}
  %input = nnet3.input_node "input" : !nnet3.rows<3>
  %a_before = nnet3.offset %a, t = -1 : !nnet3.rows<3>
  %a_optional = nnet3.if_defined %a_before : !nnet3.rows<3>
  %a_sum = nnet3.sum %input, %a_optional : !nnet3.rows<3>
  %a = nnet3.component_node "a" @first(%a_sum) : (!nnet3.rows<3>) -> !nnet3.rows<3>
  %b_before = nnet3.offset %b, t = -1 : !nnet3.rows<3>
  %b_optional = nnet3.if_defined %b_before : !nnet3.rows<3>
  %b_sum = nnet3.sum %a, %b_optional : !nnet3.rows<3>
  %b = nnet3.component_node "b" @third(%b_sum) : (!nnet3.rows<3>) -> !nnet3.rows<3>
  %c_before = nnet3.offset %c, t = 1 : !nnet3.rows<3>
  %c_optional = nnet3.if_defined %c_before : !nnet3.rows<3>
  %c_sum = nnet3.sum %a, %c_optional : !nnet3.rows<3>
  %c = nnet3.component_node "c" @second(%c_sum) : (!nnet3.rows<3>) -> !nnet3.rows<3>
  nnet3.output_node "b_output", %b : !nnet3.rows<3>
  nnet3.output_node "c_output", %c : !nnet3.rows<3>
}
nnet3.request @some_ranges for @ranges {
  nnet3.request_input "input" <t = 0:89> deriv
  nnet3.request_output "b_output" <t = 0:59> deriv
  nnet3.request_output "c_output" <t = 0:89> deriv
}
nnet3.network @kept {
  nnet3.tanh @first {dim = 3}
  nnet3.tanh @second {dim = 3}
  %input = nnet3.input_node "input" : !nnet3.rows<3>
  %before = nnet3.offset %passed, t = -1 : !nnet3.rows<3>
  %optional = nnet3.if_defined %before : !nnet3.rows<3>
  %sum = nnet3.sum %input, %optional : !nnet3.rows<3>
  %state = nnet3.component_node "state" @first(%sum) : (!nnet3.rows<3>) -> !nnet3.rows<3>
  %passed = nnet3.component_node "passed" @second(%state) : (!nnet3.rows<3>) -> !nnet3.rows<3>
  nnet3.output_node "output", %state : !nnet3.rows<3>
}
nnet3.request @late for @kept {
  nnet3.request_input "input" <t = 0:89>
  nnet3.request_output "output" <t = 45:89>
}
nnet3.network @parts {
  nnet3.affine @affine {input_dim = 6, output_dim = 6, linear_params = dense<1.0> : tensor<6x6xf32>, bias_params = dense<0.0> : tensor<6xf32>}
  %input = nnet3.input_node "input" : !nnet3.rows<3>
  %before = nnet3.offset %state, t = -1 : !nnet3.rows<3>
  %optional = nnet3.if_defined %before : !nnet3.rows<3>
  %inputs = nnet3.append %input, %optional : (!nnet3.rows<3>, !nnet3.rows<3>) -> !nnet3.rows<6>
  %both = nnet3.component_node "both" @affine(%inputs) : (!nnet3.rows<6>) -> !nnet3.rows<6>
  %state = nnet3.dim_range_node "state" %both offset 0 : !nnet3.rows<6> -> !nnet3.rows<3>
  %rest = nnet3.dim_range_node "rest" %both offset 3 : !nnet3.rows<6> -> !nnet3.rows<3>
  nnet3.output_node "output", %rest : !nnet3.rows<3>
}
nnet3.request @columns for @parts need_model_derivative {
  nnet3.request_input "input" <t = 0:89>
  nnet3.request_output "output" <t = 0:89> deriv
}
