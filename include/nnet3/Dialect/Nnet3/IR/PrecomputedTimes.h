//===- PrecomputedTimes.h - Times of precomputed data -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Precomputed data may depend on the times of a command's rows. It then has
// these times relative to an integer `first_time`, which is all that differs
// from one iteration of a loop to the next.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_DIALECT_NNET3_IR_PRECOMPUTEDTIMES_H
#define NNET3_DIALECT_NNET3_IR_PRECOMPUTEDTIMES_H

#include "mlir/IR/BuiltinAttributes.h"

namespace mlir::nnet3 {

/// Names of the entries of a command's precomputed data with the times of its
/// rows (a row table), and the time that these are relative to.
constexpr llvm::StringLiteral kTimes = "times";
constexpr llvm::StringLiteral kFirstTime = "first_time";

/// Returns `first_time`; nothing if there is none. `precomputed` may be null.
std::optional<int64_t> getFirstTime(DictionaryAttr precomputed);

/// Returns the data of the same rows at another time.
DictionaryAttr withFirstTime(DictionaryAttr precomputed, int64_t firstTime);

} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_IR_PRECOMPUTEDTIMES_H
