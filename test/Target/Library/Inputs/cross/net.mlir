nnet3.network @net {
  nnet3.affine @affine {bias_params = dense<[1.0, -1.0]> : tensor<2xf32>,
      input_dim = 2 : i64, output_dim = 2 : i64,
      linear_params = dense<[[2.0, 1.0], [-2.0, -1.0]]> : tensor<2x2xf32>}
  %input = nnet3.input_node "input" : !nnet3.rows<1>
  %0 = nnet3.offset %input, t = -1 : !nnet3.rows<1>
  %1 = nnet3.if_defined %0 : !nnet3.rows<1>
  %2 = nnet3.append %1, %input : (!nnet3.rows<1>, !nnet3.rows<1>) -> !nnet3.rows<2>
  %a = nnet3.component_node "a" @affine(%2) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  nnet3.output_node "output", %a : !nnet3.rows<2>
}
