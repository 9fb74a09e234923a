// RUN: env SOURCE_DATE_EPOCH=86400 nnet3-opt %s --nnet3-compile --nnet3-optimize --nnet3-report=%t.html > %t.mlir
// RUN: %python %S/Inputs/read_report.py %t.html | FileCheck %s
// RUN: nnet3-opt %s --nnet3-compile --nnet3-optimize | diff %t.mlir -

// Before: when the compiler has made it; after: what is printed.
// CHECK: made of report.mlir by nnet3-mlir {{[0-9.]+}}, LLVM {{[0-9.]+}} at 1970-01-02 00:00 UTC
// CHECK-NEXT: network net
// CHECK-NEXT: input input 2
// CHECK-NEXT: descriptor append 4
// CHECK-NEXT: component h 4
// CHECK-NEXT: output output 4
// CHECK-NEXT: arrow input append []
// CHECK-NEXT: arrow input append [t+1]
// CHECK-NEXT: arrow append h []
// CHECK-NEXT: arrow h output []
// CHECK-NEXT: computation request_computation of net
// CHECK-NEXT: before: 17 commands, 4 matrices, peak 232
// CHECK-NEXT: after: 9 commands, 2 matrices, peak 104
// CHECK-NEXT: 0: accept_input "input" -> %0 [5 x 2]
// CHECK-NEXT: 1: no_operation_permanent
// CHECK-NEXT: 2: alloc_matrix_undefined -> [[M:%[0-9]+]] [4 x 4]
// CHECK-NEXT: 3: matrix_copy %0(0:3, :) -> [[M]](:, 0:1)
// CHECK-NEXT: 4: matrix_copy %0(1:4, :) -> [[M]](:, 2:3)
// CHECK-NEXT: 5: dealloc_matrix %0
// CHECK-NEXT: 6: propagate @sigmoid [[M]] -> [[M]]
// CHECK-NEXT: 7: provide_output "output" [[M]]
nnet3.network @net {
  nnet3.sigmoid @sigmoid {dim = 4}
  %in = nnet3.input_node "input" : !nnet3.rows<2>
  %next = nnet3.offset %in, t = 1 : !nnet3.rows<2>
  %x = nnet3.append %in, %next : (!nnet3.rows<2>, !nnet3.rows<2>) -> !nnet3.rows<4>
  %h = nnet3.component_node "h" @sigmoid(%x) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  nnet3.output_node "output", %h : !nnet3.rows<4>
}

nnet3.request @request for @net {
  nnet3.request_input "input" <n = 0, t = 0:4>
  nnet3.request_output "output" <n = 0, t = 0:3>
}
