nnet3.network @net {
  nnet3.linear @linear {input_dim = 8 : i64, output_dim = 8 : i64,
      params = dense<1.0> : tensor<8x8xf32>}
  nnet3.dropout @first {dim = 8, dropout_proportion = 0.5 : f32}
  nnet3.rectified_linear @relu {dim = 8}
  nnet3.general_dropout @second {dim = 8, block_dim = 8, dropout_proportion = 0.5 : f32}
  %input = nnet3.input_node "input" : !nnet3.rows<8>
  %0 = nnet3.component_node "first" @first(%input) : (!nnet3.rows<8>) -> !nnet3.rows<8>
  %1 = nnet3.component_node "linear" @linear(%0) : (!nnet3.rows<8>) -> !nnet3.rows<8>
  %2 = nnet3.component_node "relu" @relu(%1) : (!nnet3.rows<8>) -> !nnet3.rows<8>
  %3 = nnet3.component_node "second" @second(%2) : (!nnet3.rows<8>) -> !nnet3.rows<8>
  nnet3.output_node "output", %3 : !nnet3.rows<8>
}
