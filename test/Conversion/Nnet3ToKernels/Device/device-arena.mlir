// What the arena of a training request takes on each level of memory
// compression. It takes most in the backward pass of @tanh, while the output of
// @relu, 1024 numbers, and the input, 256, wait for theirs: the signs of the
// former take a quarter, and on level 2 the latter takes half of its room.

// DEFINE: %{level} =
// DEFINE: %{to-kernels} = nnet3-opt --pass-pipeline='builtin.module(nnet3-compile,nnet3-optimize{memory-compression-level=%{level} allocate-from-other=false extend-matrices=false},nnet3.computation(nnet3-number-draws,nnet3-fuse-affine),convert-nnet3-to-kernels{device=true})' %s
// REDEFINE: %{level} = 0
// RUN: %{to-kernels} | FileCheck %s --check-prefix=NONE
// REDEFINE: %{level} = 1
// RUN: %{to-kernels} | FileCheck %s --check-prefix=SIGNS
// REDEFINE: %{level} = 2
// RUN: %{to-kernels} | FileCheck %s --check-prefix=ALL

// NONE: kernel.entry @{{.*}} arena 6656
// NONE-NOT: kernel.narrow
// SIGNS: kernel.entry @{{.*}} arena 5888
// SIGNS: kernel.map ins({{.*}}xf32, {{.*}}) outs({{.*}}xi8, {{.*}})
// SIGNS-NOT: outs({{.*}}xi{{8|16}}, {{.*}})
// SIGNS: kernel.map ins({{.*}}xi8, {{.*}}) outs({{.*}}xf32, {{.*}})
// SIGNS-NOT: ins({{.*}}xi{{8|16}}, {{.*}})
// ALL: kernel.entry @{{.*}} arena 5760
// ALL-COUNT-3: kernel.map ins({{.*}}) outs({{.*}}xi{{8|16}}, {{.*}})
// ALL-COUNT-3: kernel.map ins({{.*}}xi{{8|16}}, {{.*}}) outs(

nnet3.network @net {
  nnet3.linear @wide {input_dim = 8, output_dim = 32, params = dense<1.0> : tensor<32x8xf32>}
  nnet3.rectified_linear @relu {dim = 32}
  nnet3.tanh @tanh {dim = 32}
  nnet3.linear @narrow {input_dim = 32, output_dim = 8, params = dense<1.0> : tensor<8x32xf32>}
  %x = nnet3.input_node "x" : !nnet3.rows<8>
  %a = nnet3.component_node "a" @wide(%x) : (!nnet3.rows<8>) -> !nnet3.rows<32>
  %b = nnet3.component_node "b" @relu(%a) : (!nnet3.rows<32>) -> !nnet3.rows<32>
  %c = nnet3.component_node "c" @tanh(%b) : (!nnet3.rows<32>) -> !nnet3.rows<32>
  %y = nnet3.component_node "d" @narrow(%c) : (!nnet3.rows<32>) -> !nnet3.rows<8>
  nnet3.output_node "y", %y : !nnet3.rows<8>
}
nnet3.request @request for @net need_model_derivative {
  nnet3.request_input "x" <t = 0:31>
  nnet3.request_output "y" <t = 0:31> deriv
}
