// RUN: nnet3-opt %s -nnet3-scale-parameters="scale=0.5" > %t.half
// RUN: nnet3-translate --mlir-to-raw --binary=false %t.half | FileCheck %s --check-prefix=HALF
// RUN: nnet3-opt %s -nnet3-scale-parameters="scale=0" \
// RUN: | nnet3-translate --mlir-to-raw --binary=false | FileCheck %s --check-prefix=ZERO

// Statistics are averages: only their counts change.
// HALF: <ComponentName> fixed
// HALF-NEXT: 3 5 ]
// HALF: <ComponentName> scale <PerElementScaleComponent> {{.*}} <Params> [ 1 2 ]
// HALF: <ComponentName> lstm
// HALF-NEXT: 0.5
// HALF: <SelfRepairConfig> [ 1 1 1 1 1 1 1 1 1 1 ]
// HALF: <SelfRepairProb> [ 0.25 0.25 0.25 0.25 0.25 ]
// HALF: <Count> 4
// HALF: <ComponentName> relu
// HALF-SAME: <ValueAvg> [ 6 8 ]
// HALF: <Count> 5
// HALF: <ComponentName> clip
// HALF-SAME: <NumElementsClipped> 1 <NumElementsProcessed> 5

// ZERO: <ComponentName> scale <PerElementScaleComponent> {{.*}} <Params> [ 0 0 ]
// ZERO: <ComponentName> relu
// ZERO-SAME: <ValueAvg> [ 0 0 ]
nnet3.network @net {
  nnet3.fixed_affine @fixed {bias_params = dense<7.0> : tensor<1xf32>, input_dim = 2, linear_params = dense<[[3.0, 5.0]]> : tensor<1x2xf32>, output_dim = 1}
  nnet3.per_element_scale @scale {dim = 2, scales = dense<[2.0, 4.0]> : tensor<2xf32>}
  nnet3.lstm_nonlinearity @lstm {cell_dim = 1, count = 8.0 : f64, params = dense<1.0> : tensor<3x1xf32>, self_repair_config = dense<1.0> : tensor<10xf32>, self_repair_prob = dense<0.25> : tensor<5xf32>}
  nnet3.rectified_linear @relu {count = 10.0 : f64, dim = 2, value_avg = dense<[6.0, 8.0]> : tensor<2xf32>}
  nnet3.clip_gradient @clip {dim = 2, num_elements_clipped = 3, num_elements_processed = 11}
  %input = nnet3.input_node "input" : !nnet3.rows<2>
  nnet3.output_node "output", %input : !nnet3.rows<2>
}
