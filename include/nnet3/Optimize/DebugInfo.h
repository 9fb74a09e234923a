//===- DebugInfo.h - Debug information of matrices --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_OPTIMIZE_DEBUGINFO_H
#define NNET3_OPTIMIZE_DEBUGINFO_H

#include "mlir/IR/Operation.h"

namespace mlir::nnet3 {

/// Extends the debug information of an allocation, if it has any, to `rows`
/// rows. With k added rows, each is a blank row with the n and x of the row k
/// rows before it.
void extendDebugInfo(Operation *allocation, int64_t rows);

} // namespace mlir::nnet3

#endif // NNET3_OPTIMIZE_DEBUGINFO_H
