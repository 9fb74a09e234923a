// RUN: nnet3-opt %s -nnet3-collapse-model="dropout=true" \
// RUN: | nnet3-translate --mlir-to-raw --binary=false | FileCheck %s
// RUN: nnet3-opt %s -nnet3-collapse-model="dropout=true reference=true" \
// RUN: | nnet3-translate --mlir-to-raw --binary=false | FileCheck %s --check-prefix=REFERENCE

// In test mode the component multiplies by 1 - p; the reference divides by that.
// General dropout is the identity, whatever follows.
// CHECK: component-node name=relu component=relu input=input
// CHECK: component-node name=linear component=linear.scale0.75 input=relu
// CHECK-NOT: dropout
// CHECK: <ComponentName> linear.scale0.75
// CHECK-NEXT: 1.5 3 ]
// REFERENCE: <ComponentName> linear.scale1.33
// REFERENCE-NEXT: 2.66666675 5.33333349 ]
nnet3.network @net {
  nnet3.general_dropout @general {dim = 2, test_mode = true}
  nnet3.rectified_linear @relu {dim = 2}
  nnet3.dropout @dropout {dim = 2, dropout_proportion = 0.25 : f32, test_mode = true}
  nnet3.linear @linear {input_dim = 2, output_dim = 1, params = dense<[[2.0, 4.0]]> : tensor<1x2xf32>}
  %input = nnet3.input_node "input" : !nnet3.rows<2>
  %general = nnet3.component_node "general" @general(%input) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %relu = nnet3.component_node "relu" @relu(%general) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %dropout = nnet3.component_node "dropout" @dropout(%relu) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %linear = nnet3.component_node "linear" @linear(%dropout) : (!nnet3.rows<2>) -> !nnet3.rows<1>
  nnet3.output_node "output", %linear : !nnet3.rows<1>
}
