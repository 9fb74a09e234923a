nnet3.network @net {
  nnet3.affine @a1 {input_dim = 4, output_dim = 4}
  nnet3.rectified_linear @r1 {dim = 4}
  nnet3.affine @a2 {input_dim = 4, output_dim = 4}
  nnet3.rectified_linear @r2 {dim = 4}
  nnet3.affine @a3 {input_dim = 4, output_dim = 4}
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  %1 = nnet3.component_node "a1" @a1(%in) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  %2 = nnet3.component_node "r1" @r1(%1) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  %3 = nnet3.component_node "a2" @a2(%2) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  %4 = nnet3.component_node "r2" @r2(%3) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  %5 = nnet3.component_node "a3" @a3(%4) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  nnet3.output_node "output", %5 : !nnet3.rows<4>
}

nnet3.request @request for @net need_model_derivative {
  nnet3.request_input "input" <t = 0:4>
  nnet3.request_output "output" <t = 0:4> deriv
}
