// RUN: nnet3-opt %s -nnet3-set-test-mode | FileCheck %s

// CHECK-LABEL: nnet3.network @net
nnet3.network @net {
  // CHECK-NEXT: nnet3.batch_norm @norm {dim = 4 : i64, test_mode = true}
  nnet3.batch_norm @norm {dim = 4}
  // CHECK-NEXT: nnet3.batch_norm @tested {dim = 4 : i64, test_mode = true}
  nnet3.batch_norm @tested {dim = 4, test_mode = true}
  // CHECK-NEXT: nnet3.dropout @dropout {{.*}}test_mode = true}
  nnet3.dropout @dropout {dim = 4, dropout_proportion = 0.5 : f32}
  // CHECK-NEXT: nnet3.general_dropout @general {{.*}}test_mode = true}
  nnet3.general_dropout @general {dim = 4, test_mode = false}
  // CHECK-NEXT: nnet3.spec_augment_time_mask @mask {{.*}}test_mode = true}
  nnet3.spec_augment_time_mask @mask {dim = 4}
  // CHECK-NEXT: nnet3.no_op @noop {dim = 4 : i64}
  nnet3.no_op @noop {dim = 4}
}
