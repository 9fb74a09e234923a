// RUN: nnet3-opt %s -canonicalize | FileCheck %s

// Descriptors that no node uses go; nodes stay.

// CHECK-LABEL: nnet3.network @unused
nnet3.network @unused {
  // CHECK-NEXT: nnet3.input_node "a"
  %a = nnet3.input_node "a" : !nnet3.rows<2>
  // CHECK-NEXT: nnet3.input_node "b"
  %b = nnet3.input_node "b" : !nnet3.rows<2>
  %scale = nnet3.scale 2.0, %a : !nnet3.rows<2>
  %sum = nnet3.sum %scale, %b : !nnet3.rows<2>
  // CHECK-NEXT: nnet3.output_node "output"
  nnet3.output_node "output", %a : !nnet3.rows<2>
}
