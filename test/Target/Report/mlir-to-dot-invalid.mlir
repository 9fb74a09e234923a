// RUN: not nnet3-translate --mlir-to-dot %s 2>&1 | FileCheck %s
// RUN: echo 'nnet3.network @net {' > %t.mlir
// RUN: echo '%%in = nnet3.input_node "input" : !nnet3.rows<4>' >> %t.mlir
// RUN: echo 'nnet3.output_node "output", %%in : !nnet3.rows<4> }' >> %t.mlir
// RUN: nnet3-translate --mlir-to-dot --symbol=net %t.mlir
// RUN: not nnet3-translate --mlir-to-dot --symbol=other %t.mlir -o %t.dot 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SYMBOL
// RUN: not ls %t.dot

// CHECK: mlir-to-dot-invalid.mlir:1:1: error: expects a network or a computation, but there is none
// CHECK-NOT: {{^}}digraph
// SYMBOL: error: expects a network or a computation called 'other', but there is none
