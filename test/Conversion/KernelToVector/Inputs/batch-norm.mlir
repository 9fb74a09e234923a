nnet3.network @net {
  nnet3.batch_norm @norm {dim = 64}
  %in = nnet3.input_node "input" : !nnet3.rows<64>
  %a = nnet3.component_node "a" @norm(%in) : (!nnet3.rows<64>) -> !nnet3.rows<64>
  nnet3.output_node "output", %a objective linear : !nnet3.rows<64>
}

nnet3.request @train for @net {
  nnet3.request_input "input" <n = 0:3, t = 0:9> deriv
  nnet3.request_output "output" <n = 0:3, t = 0:9> deriv
}
