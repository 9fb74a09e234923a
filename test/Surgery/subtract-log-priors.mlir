// RUN: nnet3-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(nnet3.network(nnet3-subtract-log-priors))' | FileCheck %s

// The names of a node and of a component are taken.

// CHECK: nnet3.network @net {
// CHECK: nnet3.fixed_bias @"log-priors_" {bias = {{.*}}, dim = 2
// CHECK: %[[Y:.*]] = nnet3.component_node "log-priors"
// CHECK: %[[L:.*]] = nnet3.component_node "log-priors_" @"log-priors_"(%[[Y]])
// CHECK: nnet3.output_node "output", %[[L]]
nnet3.network @net priors dense<[0.25, 0.75]> : tensor<2xf32> {
  nnet3.no_op @a {dim = 2}
  %input = nnet3.input_node "input" : !nnet3.rows<2>
  %a = nnet3.component_node "log-priors" @a(%input) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  nnet3.output_node "output", %a : !nnet3.rows<2>
}

// -----

// expected-error@+1 {{has no priors}}
nnet3.network @none {
  %input = nnet3.input_node "input" : !nnet3.rows<2>
  nnet3.output_node "output", %input : !nnet3.rows<2>
}

// -----

// expected-error@+1 {{expects 2 priors, one for each output, but got 3}}
nnet3.network @many priors dense<[0.25, 0.5, 0.25]> : tensor<3xf32> {
  %input = nnet3.input_node "input" : !nnet3.rows<2>
  nnet3.output_node "output", %input : !nnet3.rows<2>
}

// -----

// expected-error@+1 {{expects an output node 'output'}}
nnet3.network @other priors dense<[0.25, 0.75]> : tensor<2xf32> {
  %input = nnet3.input_node "input" : !nnet3.rows<2>
  nnet3.output_node "output-xent", %input : !nnet3.rows<2>
}
