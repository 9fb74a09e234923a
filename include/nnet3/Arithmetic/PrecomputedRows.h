//===- PrecomputedRows.h - Tables that components precompute ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_PRECOMPUTEDROWS_H
#define NNET3_ARITHMETIC_PRECOMPUTEDROWS_H

#include "mlir/IR/BuiltinAttributes.h"

namespace mlir::nnet3 {

/// Returns the row numbers in the row table `name` of `precomputed`; -1 for
/// entries without a row.
SmallVector<int64_t> getPrecomputedRows(DictionaryAttr precomputed,
                                        StringRef name);

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_PRECOMPUTEDROWS_H
