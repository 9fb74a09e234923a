// RUN: not nnet3-opt %s -nnet3-set-learning-rate="learning-rate=-1" 2>&1 | FileCheck %s --check-prefix=RATE
// RUN: not nnet3-opt %s -nnet3-set-learning-rate-factor="learning-rate-factor=-0.5" 2>&1 | FileCheck %s --check-prefix=FACTOR
// RUN: not nnet3-opt %s -nnet3-set-dropout-proportion="proportion=1.5" 2>&1 | FileCheck %s --check-prefix=PROPORTION
// RUN: not nnet3-opt %s -nnet3-reduce-rank="name=a" 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not nnet3-opt %s -nnet3-apply-svd="bottleneck-dim=2" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not nnet3-opt %s -nnet3-apply-svd="name=a" 2>&1 | FileCheck %s --check-prefix=DIM
// RUN: not nnet3-opt %s -nnet3-scale-parameters="scale=2" 2>&1 | FileCheck %s --check-prefix=VALUES
// RUN: not nnet3-opt %s -nnet3-reduce-rank="name=a rank=2" 2>&1 | FileCheck %s --check-prefix=VALUES
// RUN: not nnet3-opt %s -nnet3-apply-svd="name=a bottleneck-dim=2" 2>&1 | FileCheck %s --check-prefix=VALUES
// RUN: not nnet3-opt %s -nnet3-convert-repeated-to-block 2>&1 | FileCheck %s --check-prefix=BLOCKS

// RATE: :[[# @LINE + 8]]:1: error: expects a learning rate of at least 0, but got -1
// FACTOR: :[[# @LINE + 7]]:1: error: expects a factor of at least 0, but got -0.5
// PROPORTION: :[[# @LINE + 6]]:1: error: expects a proportion between 0 and 1, but got 1.5
// RANK: :[[# @LINE + 5]]:1: error: expects a rank of at least 1, but got 0
// NAME: :[[# @LINE + 4]]:1: error: expects the name of a component
// DIM: :[[# @LINE + 3]]:1: error: expects bottleneck-dim or energy-threshold to be positive
// VALUES: :[[# @LINE + 3]]:3: error: component 'a' has no values of its linear_params
// BLOCKS: :[[# @LINE + 3]]:3: error: component 'r' has no values of its linear_params
nnet3.network @net {
  nnet3.affine @a {input_dim = 4, output_dim = 4, linear_params = dense_resource<missing> : tensor<4x4xf32>}
  nnet3.repeated_affine @r {input_dim = 4, num_repeats = 2, output_dim = 4}
}
