// RUN: not nnet3-opt %s --nnet3-report=%t.none/report.html 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: report.html: error: cannot write: No such file or directory

// What fails leaves no page.
// RUN: rm -f %t.html
// RUN: not nnet3-opt %s --nnet3-compile --nnet3-report=%t.html 2>&1 | FileCheck %s --check-prefix=PASS
// RUN: not ls %t.html
// PASS: report-invalid.mlir:[[@LINE+8]]:3: error:
nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  nnet3.output_node "output", %in : !nnet3.rows<4>
}

nnet3.request @request for @net {
  nnet3.request_input "input" <n = 0, t = 0>
  nnet3.request_output "output" <n = 0, t = 1>
}

// RUN: not nnet3-opt %t.missing.mlir --nnet3-report=%t.html 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: not ls %t.html
// INPUT: missing.mlir: error: cannot read: No such file or directory
