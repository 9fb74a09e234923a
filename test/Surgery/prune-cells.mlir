// RUN: split-file %s %t
// RUN: nnet3-init --print-args=false %t/lstmp.config %t/lstmp.raw && nnet3-translate --raw-to-mlir %t/lstmp.raw | nnet3-opt -nnet3-prune-cells="keep=0.5 multiple=4" 2>&1 | FileCheck %s
// RUN: nnet3-init --print-args=false %t/lstm.config %t/lstm.raw && nnet3-translate --raw-to-mlir %t/lstm.raw | nnet3-opt -nnet3-prune-cells="keep=0.5 multiple=4" 2>&1 | FileCheck %s --check-prefix=LSTM
// RUN: nnet3-init --print-args=false %t/both.config %t/both.raw && nnet3-translate --raw-to-mlir %t/both.raw | nnet3-opt -nnet3-prune-cells="keep=0.5 multiple=4" 2>&1 | FileCheck %s --check-prefix=BOTH

// Everything that has a row or column for each cell loses the same four; the
// recurrent rows move to the front.
// CHECK: remark: node 'lstm' keeps 4 of 8 cells with
// CHECK: @gates {{.*}}input_dim = 5 : i64{{.*}}output_dim = 16 : i64
// CHECK: nnet3.lstm_nonlinearity @lstm {cell_dim = 4
// CHECK-SAME: tensor<3x4xf32>
// CHECK: @projection {{.*}}input_dim = 4 : i64
// CHECK: nnet3.backprop_truncation @truncation {{.*}}dim = 6
// CHECK: nnet3.dim_range_node "c" %lstm offset 0 : !nnet3.rows<8> -> !nnet3.rows<4>
// CHECK: nnet3.dim_range_node "m" %lstm offset 4 : !nnet3.rows<8> -> !nnet3.rows<4>
// CHECK: nnet3.dim_range_node "c_trunc" %truncation offset 0 : !nnet3.rows<6> -> !nnet3.rows<4>
// CHECK: nnet3.dim_range_node "r_trunc" %truncation offset 4 : !nnet3.rows<6> -> !nnet3.rows<2>

// Without a projection, outputs go back to the gates, beside the input.
// LSTM: @gates {{.*}}input_dim = 7 : i64{{.*}}output_dim = 16 : i64
// LSTM: nnet3.backprop_truncation @truncation {{.*}}dim = 8
// LSTM: @affine {{.*}}input_dim = 4 : i64
// LSTM: nnet3.dim_range_node "m_trunc" %truncation offset 4 : !nnet3.rows<8> -> !nnet3.rows<4>

// BOTH: warning: node 'lstm' keeps its cells: node 'output' reads cells, but applies no component
// BOTH: nnet3.lstm_nonlinearity @lstm {cell_dim = 8

//--- lstmp.config
input-node name=input dim=3
component name=gates type=NaturalGradientAffineComponent input-dim=5 output-dim=32
component name=lstm type=LstmNonlinearityComponent cell-dim=8
component name=projection type=AffineComponent input-dim=8 output-dim=3
component name=truncation type=BackpropTruncationComponent dim=10
component-node name=gates component=gates input=Append(input, IfDefined(Offset(r_trunc, -1)))
component-node name=lstm component=lstm input=Append(gates, IfDefined(Offset(c_trunc, -1)))
dim-range-node name=c input-node=lstm dim-offset=0 dim=8
dim-range-node name=m input-node=lstm dim-offset=8 dim=8
component-node name=projection component=projection input=m
dim-range-node name=r input-node=projection dim-offset=0 dim=2
component-node name=truncation component=truncation input=Append(c, r)
dim-range-node name=c_trunc input-node=truncation dim-offset=0 dim=8
dim-range-node name=r_trunc input-node=truncation dim-offset=8 dim=2
output-node name=output input=projection
//--- lstm.config
input-node name=input dim=3
component name=gates type=NaturalGradientAffineComponent input-dim=11 output-dim=32
component name=lstm type=LstmNonlinearityComponent cell-dim=8
component name=truncation type=BackpropTruncationComponent dim=16
component name=affine type=AffineComponent input-dim=8 output-dim=3
component-node name=gates component=gates input=Append(IfDefined(Offset(m_trunc, -1)), input)
component-node name=lstm component=lstm input=Append(gates, IfDefined(Offset(c_trunc, -1)))
dim-range-node name=c input-node=lstm dim-offset=0 dim=8
dim-range-node name=m input-node=lstm dim-offset=8 dim=8
component-node name=truncation component=truncation input=Append(c, m)
dim-range-node name=c_trunc input-node=truncation dim-offset=0 dim=8
dim-range-node name=m_trunc input-node=truncation dim-offset=8 dim=8
component-node name=affine component=affine input=m
output-node name=output input=affine
//--- both.config
input-node name=input dim=3
component name=gates type=NaturalGradientAffineComponent input-dim=3 output-dim=32
component name=lstm type=LstmNonlinearityComponent cell-dim=8
component-node name=gates component=gates input=input
component-node name=lstm component=lstm input=Append(gates, IfDefined(Offset(c, -1)))
dim-range-node name=c input-node=lstm dim-offset=0 dim=8
dim-range-node name=m input-node=lstm dim-offset=8 dim=8
output-node name=output input=m
