// RUN: not nnet3-opt %s -nnet3-rename-node="old-name=c new-name=d" 2>&1 | FileCheck %s --check-prefix=UNDEFINED
// RUN: not nnet3-opt %s -nnet3-rename-node="old-name=b new-name=input" 2>&1 | FileCheck %s --check-prefix=CLASH
// RUN: not nnet3-opt %s -nnet3-rename-node="old-name=b new-name=2" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not nnet3-opt %s -nnet3-rename-node="old-name=b new-name=Sum" 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not nnet3-opt %s -nnet3-remove-output-nodes="name=out*t" 2>&1 | FileCheck %s --check-prefix=OUTPUTS

// UNDEFINED: :[[# @LINE + 6]]:1: error: undefined node 'c'
// CLASH: :[[# @LINE + 5]]:1: error: there is a node 'input' already
// CLASH: :[[# @LINE + 6]]:{{[0-9]+}}: note: defined here
// NAME: :[[# @LINE + 3]]:1: error: invalid name of a node '2'
// WORD: :[[# @LINE + 2]]:1: error: invalid name of a node 'Sum'
// OUTPUTS: :[[# @LINE + 1]]:1: error: expects an output node to remain, but 'out*t' matches all of them
nnet3.network @net {
  nnet3.no_op @b {dim = 4}
  %input = nnet3.input_node "input" : !nnet3.rows<4>
  %b = nnet3.component_node "b" @b(%input) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  nnet3.output_node "output", %b : !nnet3.rows<4>
}
