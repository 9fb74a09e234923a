// DEFINE: %{passes} = --nnet3-compile --nnet3-optimize="allocate-from-other=false extend-matrices=false" --nnet3-fuse-affine --nnet3-fuse-splice --nnet3-hoist-recurrent-affines --nnet3-fuse-epilogue --nnet3-remove-unnecessary-zeroing --nnet3-move-sizing-commands --nnet3-roll-loops --kernel-set-target=instruction-sets=avx512f --convert-nnet3-to-kernels --kernel-outline --convert-kernel-to-vector
// An LSTM for 20 and for 200 frames: as many calls of kernels.
// RUN: sed s/LAST/19/ %s | nnet3-opt %{passes} | grep -c "call @" > %t.short
// RUN: sed s/LAST/199/ %s | nnet3-opt %{passes} | grep -c "call @" > %t.long
// RUN: diff %t.short %t.long

// The part of the input is computed at once, the rest in a loop.
// RUN: sed s/LAST/199/ %s | nnet3-opt %{passes} | FileCheck %s
// CHECK-LABEL: func.func @request_computation
// CHECK: call @gemm
// CHECK: scf.for
// CHECK-COUNT-2: func.call @gemm
// CHECK-NOT: func.call @gemm
// CHECK: }


nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<3>
  %back = nnet3.offset %r, t = -1 : !nnet3.rows<2>
  %before = nnet3.if_defined %back : !nnet3.rows<2>
  %in = nnet3.append %x, %before : (!nnet3.rows<3>, !nnet3.rows<2>) -> !nnet3.rows<5>
  %gates = nnet3.component_node "gates" @gates(%in) : (!nnet3.rows<5>) -> !nnet3.rows<16>
  %cback = nnet3.offset %c, t = -1 : !nnet3.rows<4>
  %cbefore = nnet3.if_defined %cback : !nnet3.rows<4>
  %all = nnet3.append %gates, %cbefore : (!nnet3.rows<16>, !nnet3.rows<4>) -> !nnet3.rows<20>
  %cell = nnet3.component_node "cell" @cell(%all) : (!nnet3.rows<20>) -> !nnet3.rows<8>
  %c = nnet3.dim_range_node "c" %cell offset 0 : !nnet3.rows<8> -> !nnet3.rows<4>
  %m = nnet3.dim_range_node "m" %cell offset 4 : !nnet3.rows<8> -> !nnet3.rows<4>
  %r = nnet3.component_node "r" @project(%m) : (!nnet3.rows<4>) -> !nnet3.rows<2>
  nnet3.output_node "y", %r : !nnet3.rows<2>
  nnet3.affine @gates {input_dim = 5, output_dim = 16}
  nnet3.lstm_nonlinearity @cell {cell_dim = 4}
  nnet3.linear @project {input_dim = 4, output_dim = 2}
}
nnet3.request @request for @net {
  nnet3.request_input "x" <t = 0:LAST>
  nnet3.request_output "y" <t = 0:LAST>
}
