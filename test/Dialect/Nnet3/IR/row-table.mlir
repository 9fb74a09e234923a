// RUN: nnet3-opt %s | nnet3-opt | FileCheck %s
// RUN: nnet3-opt %s --verify-roundtrip -o /dev/null

module attributes {
  // CHECK: test.a = #nnet3.row_table<7, _, 0 of 1>
  test.a = #nnet3.row_table<7, _, 0 of 1>,
  // CHECK-SAME: test.b = #nnet3.row_table<0:9, 27:0:-3, 0:4:2 of 3>
  test.b = #nnet3.row_table<0:9, 27:0:-3, 0:4:2 of 3>,
  // CHECK-SAME: test.c = #nnet3.row_table<4 x 7, 3 x _, 2 x 0 of 1>
  test.c = #nnet3.row_table<4 x 7, 3 x _, 2 x 0 of 1>,
  // CHECK-SAME: test.d = #nnet3.row_table<[8 x +16](0:3, 9)>
  test.d = #nnet3.row_table<[8 x +16](0:3, 9)>,
  // CHECK-SAME: test.e = #nnet3.row_table<[2 x -16]([4 x +0](16, _, 17))>
  test.e = #nnet3.row_table<[2 x -16]([4 x 0](16, _, 17))>,
  // A loop of one round is its body, a range of one row is the row.
  // CHECK-SAME: test.f = #nnet3.row_table<3, 4, 5>
  test.f = #nnet3.row_table<[1 x +5](3, 4), 5:5>,
  // Rows that are not there do not move.
  // CHECK-SAME: test.g = #nnet3.row_table<[2 x +0](_, 3 x _)>
  test.g = #nnet3.row_table<[2 x +7](_, 3 x _)>
} {}
