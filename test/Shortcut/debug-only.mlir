// -debug-only says of every request what became of it; the statistics count
// them. The computation for two sequences has statistics of its own.

// RUN: nnet3-opt --nnet3-shortcut-compile -debug-only=nnet3-shortcut-compile %s -o %t 2>&1 | FileCheck %s --check-prefix=DEBUG
// RUN: nnet3-opt --nnet3-shortcut-compile -debug-only=something-else %s -o %t 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: nnet3-opt --nnet3-shortcut-compile --nnet3-pass-statistics %s -o %t 2>&1 | FileCheck %s --check-prefix=COUNTS

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  nnet3.output_node "output", %in : !nnet3.rows<4>
}

// DEBUG:     @many: expanded from 2 to 5 sequences
// DEBUG:     @two: compiled in full: nothing is gained with 2 sequences
// OTHER-NOT: expanded
// OTHER:     request @two is compiled in full
// COUNTS:      passes over the module
// COUNTS-NEXT: nnet3-shortcut-compile 1 requests compiled for two sequences, 1 computations expanded, 1 requests compiled in full
nnet3.request @many for @net {
  nnet3.request_input "input" <n = 0:4, t = 0:1>
  nnet3.request_output "output" <n = 0:4, t = 0:1>
}
nnet3.request @two for @net {
  nnet3.request_input "input" <n = 0:1, t = 0:1>
  nnet3.request_output "output" <n = 0:1, t = 0:1>
}
