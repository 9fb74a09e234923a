// RUN: nnet3-opt %s -nnet3-set-dropout-proportion="name=d* proportion=0.25" | FileCheck %s
// RUN: nnet3-opt %s -nnet3-set-batch-norm-test-mode="test-mode=false" | FileCheck %s --check-prefix=TRAIN
// RUN: nnet3-opt %s -nnet3-set-batch-norm-test-mode | FileCheck %s --check-prefix=TEST

// CHECK: nnet3.dropout @d1 {{.*}}dropout_proportion = 2.500000e-01
// CHECK: nnet3.dropout_mask @d2 {dropout_proportion = 2.500000e-01
// CHECK: nnet3.general_dropout @other {dim = 4 : i64}
// CHECK: nnet3.spec_augment_time_mask @d3 {dim = 4 : i64}
// TRAIN: nnet3.dropout @d1 {{.*}}test_mode = true
// TRAIN: nnet3.batch_norm @norm {dim = 4 : i64}
// TEST: nnet3.dropout_mask @d2 {output_dim = 4 : i64}
// TEST: nnet3.batch_norm @norm {dim = 4 : i64, test_mode = true}
nnet3.network @net {
  nnet3.dropout @d1 {dim = 4, dropout_proportion = 0.5 : f32, test_mode = true}
  nnet3.dropout_mask @d2 {output_dim = 4}
  nnet3.general_dropout @other {dim = 4}
  nnet3.spec_augment_time_mask @d3 {dim = 4}
  nnet3.batch_norm @norm {dim = 4, test_mode = true}
}
