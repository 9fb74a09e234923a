// Several modules, computations that were there before the passes, no passes, and
// names that would be markup.
// RUN: nnet3-opt %s --split-input-file --nnet3-remove-no-ops --nnet3-report=%t.html -o %t.mlir
// RUN: %python %S/Inputs/read_report.py %t.html | FileCheck %s
// RUN: nnet3-opt %s --split-input-file --nnet3-report=%t.html -o %t.mlir
// RUN: %python %S/Inputs/read_report.py %t.html | FileCheck %s --check-prefix=SAME

// CHECK: network net
// CHECK: network </script><img src=x onerror=alert(1)>
// CHECK: computation a of net
// CHECK-NEXT: before: 3 commands
// CHECK-NEXT: after: 2 commands
// CHECK: computation a of </script><img src=x onerror=alert(1)>
// CHECK-NEXT: before: 4 commands
// CHECK-NEXT: after: 2 commands

// SAME: computation a of net
// SAME-NEXT: before: 3 commands
// SAME-NEXT: after: 3 commands

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  nnet3.output_node "output", %in : !nnet3.rows<4>
}
nnet3.computation @a for @net {
  %in = nnet3.accept_input "input" : memref<1x4xf32>
  nnet3.no_operation
  nnet3.provide_output "output", %in : memref<1x4xf32>
}

// -----

nnet3.network @"</script><img src=x onerror=alert(1)>" {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  nnet3.output_node "output", %in : !nnet3.rows<4>
}
nnet3.computation @a for @"</script><img src=x onerror=alert(1)>" {
  %in = nnet3.accept_input "input" : memref<1x4xf32>
  nnet3.no_operation
  nnet3.no_operation
  nnet3.provide_output "output", %in : memref<1x4xf32>
}
