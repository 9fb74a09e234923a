// RUN: nnet3-opt %s -verify-diagnostics -split-input-file

// expected-error @below {{expects a positive step, but got 0}}
module attributes {test.a = #nnet3.indexes<t = 0:9:0>} {}

// -----

// expected-error @below {{expects a positive step, but got -1}}
module attributes {test.a = #nnet3.indexes<t = 9:0:-1>} {}

// -----

// expected-error @below {{expects a range that does not end before it begins, but got 9:0}}
module attributes {test.a = #nnet3.indexes<t = 9:0>} {}

// -----

// expected-error @below {{variable t is given twice}}
module attributes {test.a = #nnet3.indexes<t = 0, t = 1>} {}

// -----

// expected-error @below {{expects n, t, x or order, but got y}}
module attributes {test.a = #nnet3.indexes<t = 0, y = 1>} {}

// -----

// expected-error @below {{expects order nt, tn or txn, but got xnt}}
module attributes {test.a = #nnet3.indexes<t = 0, order = xnt>} {}

// -----

// expected-error @below {{t = 3 is listed twice}}
module attributes {test.a = #nnet3.indexes<t = [0:7, 3]>} {}

// -----

// expected-error @below {{index (1, 5, 2) is listed twice}}
module attributes {test.a = #nnet3.indexes<[(1, 5, 2), (0, 1), (1, 5, 2)]>} {}

// -----

// expected-error @below {{expects at most 16777216 values}}
module attributes {test.a = #nnet3.indexes<t = -2147483646:2147483647>} {}

// -----

// expected-error @below {{expects at most 16777216 rows}}
module attributes {test.a = #nnet3.indexes<t = 0:99999, n = 0:99999, x = 0:99999>} {}

// -----

// expected-error @below {{expects t above -2147483647, but got -2147483648}}
module attributes {test.a = #nnet3.indexes<t = -2147483648>} {}

// -----

// expected-error @below {{expects t above -2147483647, but got -2147483647}}
module attributes {test.a = #nnet3.indexes<[(-1, -2147483647, -1)]>} {}

// -----

// expected-error @below {{integer value too large}}
module attributes {test.a = #nnet3.indexes<t = 2147483648>} {}

// -----

// expected-error @below {{expected '('}}
module attributes {test.a = #nnet3.indexes<[]>} {}
