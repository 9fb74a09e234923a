// RUN: nnet3-opt %s -verify-diagnostics -split-input-file

// expected-error @below {{expects a row from 0 to 2147483647, but got -1}}
module attributes {test.a = #nnet3.row_table<-1>} {}

// -----

// expected-error @below {{expects a row from 0 to 2147483647, but got 2147483648}}
module attributes {test.a = #nnet3.row_table<0:2147483648>} {}

// -----

// expected-error @below {{expects a row from 0 to 2147483647, but got -9223372036854775808}}
module attributes {test.a = #nnet3.row_table<0:-9223372036854775808:-1>} {}

// -----

// expected-error @below {{range 0:10 is not a multiple of step 3}}
module attributes {test.a = #nnet3.row_table<0:10:3>} {}

// -----

// expected-error @below {{range 9:0 is not a multiple of step 1}}
module attributes {test.a = #nnet3.row_table<9:0>} {}

// -----

// expected-error @below {{range 0:0 is not a multiple of step 0}}
module attributes {test.a = #nnet3.row_table<0:0:0>} {}

// -----

// expected-error @below {{expects a count from 1 to 67108864, but got 0}}
module attributes {test.a = #nnet3.row_table<0 x 7>} {}

// -----

// expected-error @below {{expects a count from 1 to 67108864, but got -2}}
module attributes {test.a = #nnet3.row_table<[-2 x +1](7)>} {}

// -----

// expected-error @below {{expects a row table of at most 67108864 entries, in loops at most 32 deep}}
module attributes {test.a = #nnet3.row_table<[9999 x +1](9999 x 7)>} {}

// -----

// The last round would name row -2.
// expected-error @below {{expects rows from 0 to 2147483647 of sources from 0 to 1048575}}
module attributes {test.a = #nnet3.row_table<[2 x -5](3)>} {}

// -----

// expected-error @below {{expects rows from 0 to 2147483647 of sources from 0 to 1048575}}
module attributes {test.a = #nnet3.row_table<7 of 4294967296>} {}

// -----

// expected-error @below {{expects rows from 0 to 2147483647 of sources from 0 to 1048575}}
module attributes {test.a = #nnet3.row_table<7 of -1>} {}

// -----

// expected-error @below {{expects loops at most 32 deep}}
module attributes {test.a = #nnet3.row_table<[2 x +1]([2 x +1]([2 x +1]([2 x +1]([2 x +1]([2 x +1]([2 x +1]([2 x +1]([2 x +1]([2 x +1]([2 x +1]([2 x +1]([2 x +1]([2 x +1]([2 x +1]([2 x +1]([2 x +1]([2 x +1]([2 x +1]([2 x +1]([2 x +1]([2 x +1]([2 x +1]([2 x +1]([2 x +1]([2 x +1]([2 x +1]([2 x +1]([2 x +1]([2 x +1]([2 x +1]([2 x +1]([2 x +1](0)))))))))))))))))))))))))))))))))>} {}

// -----

// expected-error @below {{expected integer value}}
module attributes {test.a = #nnet3.row_table<>} {}
