// RUN: nnet3-opt %s -nnet3-remove-output-nodes="name=*-2" | FileCheck %s --check-prefix=OUTPUT
// RUN: nnet3-opt %s -nnet3-remove-output-nodes="name=*-2" -nnet3-remove-orphan-nodes \
// RUN: | FileCheck %s --check-prefix=NODES
// RUN: nnet3-opt %s -nnet3-remove-output-nodes="name=*-2" -nnet3-remove-orphan-components \
// RUN: | FileCheck %s --check-prefix=COMPONENTS
// RUN: nnet3-opt %s -nnet3-remove-output-nodes="name=*-2" -nnet3-remove-orphans \
// RUN: | FileCheck %s --check-prefix=BOTH --implicit-check-not=@b --implicit-check-not=@unused
// RUN: nnet3-opt %s -nnet3-remove-output-nodes="name=*-2" \
// RUN:   -nnet3-remove-orphans="remove-orphan-inputs=true" \
// RUN: | FileCheck %s --check-prefix=INPUTS --implicit-check-not=ivector
// RUN: nnet3-opt %s -nnet3-remove-output-nodes="name=x*" 2>&1 | FileCheck %s --check-prefix=NONE

// OUTPUT: nnet3.component_node "b"
// OUTPUT: nnet3.output_node "output",
// OUTPUT-NOT: output-2

// NODES: nnet3.no_op @b
// NODES: nnet3.input_node "ivector"
// NODES-NOT: nnet3.offset
// NODES: nnet3.component_node "a"
// NODES-NEXT: nnet3.output_node "output",

// The nodes still use the components.
// COMPONENTS: nnet3.no_op @a
// COMPONENTS-NEXT: nnet3.no_op @b
// COMPONENTS-NEXT: nnet3.input_node

// BOTH: nnet3.no_op @a
// BOTH: nnet3.input_node "ivector"

// INPUTS: nnet3.input_node "input"

// NONE: warning: no output node matches 'x*'
// NONE: nnet3.output_node "output-2"
nnet3.network @net {
  nnet3.no_op @a {dim = 4}
  nnet3.no_op @b {dim = 4}
  nnet3.no_op @unused {dim = 4}
  %input = nnet3.input_node "input" : !nnet3.rows<4>
  %ivector = nnet3.input_node "ivector" : !nnet3.rows<4>
  %a = nnet3.component_node "a" @a(%input) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  // A recurrence keeps nothing alive.
  %0 = nnet3.offset %b, t = -1 : !nnet3.rows<4>
  %1 = nnet3.if_defined %0 : !nnet3.rows<4>
  %2 = nnet3.sum %1, %ivector : !nnet3.rows<4>
  %b = nnet3.component_node "b" @b(%2) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  nnet3.output_node "output", %a : !nnet3.rows<4>
  nnet3.output_node "output-2", %b : !nnet3.rows<4>
}
