// RUN: nnet3-opt --nnet3-compile-streaming="chunks=3" %s | nnet3-translate --mlir-to-dot - | FileCheck %s
// RUN: nnet3-opt --nnet3-compile-streaming="chunks=3" --nnet3-compile --nnet3-report=%t.html %s -o %t.mlir
// RUN: FileCheck %s --check-prefix=REPORT < %t.html

// What a stream keeps: of the input what is read later, and the recurrence.
// CHECK: label="input\n1\nkeeps 2 rows, t = -2 to -1", {{.*}}penwidth=3
// CHECK: label="h @relu\nRectifiedLinearComponent\n1\nkeeps 1 row, t = -1", {{.*}}penwidth=3
// CHECK: label="output\n1", shape=ellipse
// CHECK-NOT: penwidth

// REPORT: "name":"input","dim":1,"state":"2 rows, t = -2 to -1"
// REPORT: "name":"h",{{.*}}"state":"1 row, t = -1"
nnet3.network @rnn {
  nnet3.rectified_linear @relu {dim = 1}
  %in = nnet3.input_node "input" : !nnet3.rows<1>
  %far = nnet3.offset %in, t = -2 : !nnet3.rows<1>
  %prev = nnet3.offset %h, t = -1 : !nnet3.rows<1>
  %opt = nnet3.if_defined %prev : !nnet3.rows<1>
  %sum = nnet3.sum %in, %far, %opt : !nnet3.rows<1>
  %h = nnet3.component_node "h" @relu(%sum) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  nnet3.output_node "output", %h : !nnet3.rows<1>
}
