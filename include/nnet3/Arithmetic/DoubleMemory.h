//===- DoubleMemory.h - Double precision in memory of floats ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_DOUBLEMEMORY_H
#define NNET3_ARITHMETIC_DOUBLEMEMORY_H

#include "nnet3/Arithmetic/ScalarArithmetic.h"

namespace mlir::nnet3 {

/// 64 bits of two halves, and the halves.
Value joinWords(ScalarArithmetic a, Value low, Value high);
std::pair<Value, Value> splitWords(ScalarArithmetic a, Value both);

/// The bits of a float.
Value loadWord(ScalarArithmetic a, Value memory, Value place);
/// A number in double precision in two floats, from `place` on.
Value loadDouble(ScalarArithmetic a, Value memory, Value place);
void storeDouble(ScalarArithmetic a, Value element, Value memory, Value place);

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_DOUBLEMEMORY_H
