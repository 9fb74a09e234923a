// RUN: nnet3-opt %s -verify-diagnostics -split-input-file

nnet3.network @net {
  // expected-error @below {{expects at least one component}}
  nnet3.composite @c {
  }
}

// -----

nnet3.network @net {
  // expected-error @below {{cannot have 'nnet3.composite' as a part}}
  nnet3.composite @c {
    nnet3.composite @inner {
      nnet3.tanh @tanh {dim = 2}
    }
  }
}

// -----

nnet3.network @net {
  // expected-error @below {{cannot have 'tdnn' as a part: components of type TdnnComponent are not simple}}
  nnet3.composite @c {
    nnet3.tdnn @tdnn {input_dim = 2, output_dim = 2, time_offsets = array<i64: 0>}
  }
}

// -----

nnet3.network @net {
  // expected-error @below {{cannot have 'dropout' as a part: components of type DropoutComponent are random}}
  nnet3.composite @c {
    nnet3.dropout @dropout {dim = 2, dropout_proportion = 0.5 : f32}
  }
}

// -----

nnet3.network @net {
  // expected-error @below {{expects an input dim of 3 of 'tanh', which is the output dim before it, but got 2}}
  nnet3.composite @c {
    nnet3.affine @affine {input_dim = 2, output_dim = 3}
    nnet3.tanh @tanh {dim = 2}
  }
}

// -----

nnet3.network @net {
  nnet3.composite @c {
    // expected-note @below {{see existing symbol definition here}}
    nnet3.tanh @tanh {dim = 2}
    // expected-error @below {{redefinition of symbol named 'tanh'}}
    nnet3.tanh @tanh {dim = 2}
  }
}

// -----

nnet3.network @net {
  nnet3.composite @c {
    // expected-error @below {{requires attribute 'input_dim'}}
    "nnet3.affine"() {sym_name = "affine", output_dim = 2 : i64} : () -> ()
  }
}
