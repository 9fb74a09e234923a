//===- DoubleMemory.h - Double precision in memory of floats ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_DOUBLEMEMORY_H
#define NNET3_ARITHMETIC_DOUBLEMEMORY_H

#include "nnet3/Arithmetic/ScalarArithmetic.h"

namespace mlir::nnet3 {

/// Joins two i32 to an i64, and splits an i64 into its low and high i32.
Value joinWords(ScalarArithmetic a, Value low, Value high);
std::pair<Value, Value> splitWords(ScalarArithmetic a, Value both);

/// Loads the f32 at `place` as an i32 with the same bits.
Value loadWord(ScalarArithmetic a, Value memory, Value place);
/// Loads and stores an f64 in the two f32 at `place` and `place` + 1.
Value loadDouble(ScalarArithmetic a, Value memory, Value place);
void storeDouble(ScalarArithmetic a, Value element, Value memory, Value place);

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_DOUBLEMEMORY_H
