// RUN: nnet3-opt %s | nnet3-opt | FileCheck %s
// RUN: nnet3-opt %s --verify-roundtrip -o /dev/null

// CHECK-LABEL: nnet3.network @random
nnet3.network @random {
  // CHECK-NEXT: nnet3.dropout @dropout {dim = 4 : i64, dropout_per_frame = true, dropout_proportion = 5.000000e-01 : f32}
  nnet3.dropout @dropout {dim = 4, dropout_proportion = 0.5 : f32, dropout_per_frame = true}
  // CHECK-NEXT: nnet3.general_dropout @general {block_dim = 2 : i64, continuous = true, dim = 4 : i64, time_period = 10 : i64}
  nnet3.general_dropout @general {dim = 4, block_dim = 2, continuous = true, time_period = 10}
  // CHECK-NEXT: nnet3.general_dropout @specaugment {dim = 4 : i64, specaugment_max_proportion = 5.000000e-01 : f32, specaugment_max_regions = 2 : i64, test_mode = true}
  nnet3.general_dropout @specaugment {dim = 4, specaugment_max_proportion = 0.5 : f32, specaugment_max_regions = 2, test_mode = true}
  // CHECK-NEXT: nnet3.spec_augment_time_mask @mask {dim = 4 : i64, time_mask_max_frames = 20 : i64}
  nnet3.spec_augment_time_mask @mask {dim = 4, time_mask_max_frames = 20}
}
