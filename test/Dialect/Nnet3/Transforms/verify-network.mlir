// RUN: nnet3-opt %s -nnet3-verify-network -verify-diagnostics | FileCheck %s

// The pass says nothing about a network that is right, and changes nothing.

// CHECK-LABEL: nnet3.network @net
nnet3.network @net {
  nnet3.affine @affine {input_dim = 8, output_dim = 4}
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  // A dim-range node is another name for its columns, with a scale of its own.
  %alias = nnet3.dim_range_node "alias" %in offset 0 : !nnet3.rows<4> -> !nnet3.rows<4>
  %minus = nnet3.scale -1.0, %alias : !nnet3.rows<4>
  %next = nnet3.offset %in, t = 1 : !nnet3.rows<4>
  %delta = nnet3.sum %next, %minus : !nnet3.rows<4>
  %both = nnet3.append %in, %delta : (!nnet3.rows<4>, !nnet3.rows<4>) -> !nnet3.rows<8>
  // CHECK: nnet3.component_node "a"
  %a = nnet3.component_node "a" @affine(%both) : (!nnet3.rows<8>) -> !nnet3.rows<4>
  // A zero constant may be a fallback.
  %zero = nnet3.const 0.0 : !nnet3.rows<4>
  %safe = nnet3.failover %a, %zero : !nnet3.rows<4>
  nnet3.output_node "output", %safe : !nnet3.rows<4>
}
