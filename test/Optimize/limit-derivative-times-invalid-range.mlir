// RUN: nnet3-opt --verify-diagnostics --pass-pipeline='builtin.module(nnet3-optimize{min-deriv-time=2 max-deriv-time=7 max-deriv-time-relative=-2})' %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
// expected-error@+1 {{expects derivatives up to a t of at least 2, where they begin, but got 1}}
nnet3.computation @empty for @net {
  %a = nnet3.accept_input "x" {nnet3.node = "x", nnet3.indexes = #nnet3.indexes<t = 0:3>} : memref<4x4xf32>
  nnet3.provide_output "y", %a : memref<4x4xf32>
}
