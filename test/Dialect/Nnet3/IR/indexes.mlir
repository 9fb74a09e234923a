// RUN: nnet3-opt %s | nnet3-opt | FileCheck %s
// RUN: nnet3-opt %s --verify-roundtrip -o /dev/null

module attributes {
  // One variable, the others being 0.
  // CHECK: test.a = #nnet3.indexes<t = 5>
  test.a = #nnet3.indexes<t = 5>,
  // A range of one, and the default order.
  // CHECK-SAME: test.b = #nnet3.indexes<t = 5>
  test.b = #nnet3.indexes<n = 0, x = 0, t = 5:5, order = nt>,
  // CHECK-SAME: test.c = #nnet3.indexes<n = 0:7, t = -3:12, order = tn>
  test.c = #nnet3.indexes<order = tn, t = -3:12, n = 0:7>,
  // CHECK-SAME: test.d = #nnet3.indexes<n = 0:510:2, t = 0:9:3, x = 0:1, order = txn>
  test.d = #nnet3.indexes<n = 0:510:2, t = 0:9:3, x = 0:1, order = txn>,
  // A last value that the step does not reach is not in the range.
  // CHECK-SAME: test.e = #nnet3.indexes<t = 0:9:3>
  test.e = #nnet3.indexes<t = 0:11:3>,
  // CHECK-SAME: test.f = #nnet3.indexes<t = [0:7, 12, -5, -1]>
  test.f = #nnet3.indexes<t = [0:7, 12, -5, -1]>,
  // Ranges that continue each other are joined, few values are not a range.
  // CHECK-SAME: test.g = #nnet3.indexes<t = [0:3, 7, 9]>
  test.g = #nnet3.indexes<t = [0:1, 2:3, 7, 9]>,
  // CHECK-SAME: test.h = #nnet3.indexes<[(0, 5), (0, 7, 1), (3, -1)]>
  test.h = #nnet3.indexes<[(0, 5), (0, 7, 1), (3, -1, 0)]>,
  // Blank rows may repeat.
  // CHECK-SAME: test.i = #nnet3.indexes<[(0, 5), (0, _), (0, _), (1, _, 1)]>
  test.i = #nnet3.indexes<[(0, 5), (0, _), (0, _), (1, _, 1)]>
} {}
