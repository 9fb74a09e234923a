// REQUIRES: chromium
// RUN: nnet3-opt %s --nnet3-compile --nnet3-optimize --nnet3-report=%t.html -o %t.mlir
// RUN: %python %S/Inputs/open_report.py %t.html | FileCheck %s

// Every chart has what there is to show: as many bars as matrices, as many steps
// of the curve as commands.
// CHECK: ready: yes
// CHECK-NEXT: images: 0
// CHECK-NEXT: boxes: 5
// CHECK-NEXT: arrows: 5 recurrent: 1
// CHECK-NEXT: labels: 2
// CHECK-NEXT: origin: network @net · {{.*}}report-page.mlir · nnet3-mlir {{[0-9.]+}}, LLVM {{[0-9.]+}} · {{[-0-9]+}} {{[0-9:]+}} UTC
// CHECK-NEXT: tiles: 5
// CHECK-NEXT: before: [[BEFORE:[0-9]+]] rows, 12 bars, [[BEFORE]] steps, {{[0-9]+}} heights
// CHECK-NEXT: after: [[AFTER:[0-9]+]] rows, {{[1-9]}} bars, [[AFTER]] steps, {{[0-9]+}} heights

// Names become text.
// RUN: sed 's/@net\b/@"<img src=x>"/' %s > %t.names.mlir
// RUN: nnet3-opt %t.names.mlir --nnet3-compile --nnet3-report=%t.html -o %t.mlir
// RUN: %python %S/Inputs/open_report.py %t.html | FileCheck %s --check-prefix=NAMES
// NAMES: ready: yes
// NAMES-NEXT: images: 0
// NAMES-NEXT: boxes: 5
nnet3.network @net {
  nnet3.sigmoid @sigmoid {dim = 4}
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  %prev = nnet3.offset %h, t = -1 : !nnet3.rows<4>
  %opt = nnet3.if_defined %prev : !nnet3.rows<4>
  %sum = nnet3.sum %in, %opt : !nnet3.rows<4>
  %h = nnet3.component_node "h" @sigmoid(%sum) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  %half = nnet3.scale 5.000000e-01, %h : !nnet3.rows<4>
  %out = nnet3.sum %half, %in : !nnet3.rows<4>
  nnet3.output_node "output", %out : !nnet3.rows<4>
}

nnet3.request @request for @net {
  nnet3.request_input "input" <n = 0, t = 0:1> deriv
  nnet3.request_output "output" <n = 0, t = 0:1> deriv
}
