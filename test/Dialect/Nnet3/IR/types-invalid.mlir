// RUN: nnet3-opt %s -verify-diagnostics -split-input-file

// expected-error @below {{expects a dim from 1 to 2147483647, but got 0}}
%rows = builtin.unrealized_conversion_cast to !nnet3.rows<0>

// -----

// expected-error @below {{expects a dim from 1 to 2147483647, but got -4}}
%rows = builtin.unrealized_conversion_cast to !nnet3.rows<-4>

// -----

// expected-error @below {{expects a dim from 1 to 2147483647, but got 2147483648}}
%rows = builtin.unrealized_conversion_cast to !nnet3.rows<2147483648>

// -----

// expected-error @below {{expected integer value}}
// expected-error @below {{failed to parse Nnet3_RowsType parameter 'dim'}}
%rows = builtin.unrealized_conversion_cast to !nnet3.rows<?>

// -----

// expected-error @below {{expects dims from 1 to 2147483647, but got 0x2}}
%rows = builtin.unrealized_conversion_cast to !nnet3.compressed<0x2xui8>

// -----

// expected-error @below {{expects two dimensions}}
%rows = builtin.unrealized_conversion_cast to !nnet3.compressed<2xui8>

// -----

// expected-error @below {{expects element type si8, ui8, si16 or ui16, but got 'i8'}}
%rows = builtin.unrealized_conversion_cast to !nnet3.compressed<2x2xi8>

// -----

// expected-error @below {{expects element type si8, ui8, si16 or ui16, but got 'ui32'}}
%rows = builtin.unrealized_conversion_cast to !nnet3.compressed<2x2xui32>
