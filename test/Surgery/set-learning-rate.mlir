// RUN: nnet3-opt %s -nnet3-set-learning-rate="name=a* learning-rate=0.5" | FileCheck %s --check-prefix=RATE
// RUN: nnet3-opt %s -nnet3-set-learning-rate-factor="learning-rate-factor=2" \
// RUN: | FileCheck %s --check-prefix=FACTOR

// The rate is times the factor, and goes through to the parts of a composite.
// RATE: nnet3.affine @a1 {{.*}} learning_rate = 1.250000e-01 : f32
// RATE: nnet3.linear @b
// RATE-NOT: learning_rate
// RATE: nnet3.composite @a2 attributes {learning_rate = 2.500000e-01 : f32, learning_rate_factor
// RATE-NEXT: nnet3.affine @part {{.*}} learning_rate = 2.500000e-01
// RATE: nnet3.no_op @a3 {dim = 4 : i64}

// FACTOR: nnet3.affine @a1 {{.*}} learning_rate = 1.000000e+00 : f32, learning_rate_factor = 2.000000e+00
// FACTOR: nnet3.linear @b {{.*}} learning_rate_factor = 2.000000e+00
// FACTOR: nnet3.no_op @a3 {dim = 4 : i64}
nnet3.network @net {
  nnet3.affine @a1 {input_dim = 4, learning_rate = 1.0 : f32, learning_rate_factor = 0.25 : f32, output_dim = 4}
  nnet3.linear @b {input_dim = 4, output_dim = 4}
  nnet3.composite @a2 attributes {learning_rate_factor = 0.5 : f32} {
    nnet3.affine @part {input_dim = 4, output_dim = 4}
  }
  nnet3.no_op @a3 {dim = 4}
}
