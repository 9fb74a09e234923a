//===- DebugInfo.h - Which rows matrices hold -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_OPTIMIZE_DEBUGINFO_H
#define NNET3_OPTIMIZE_DEBUGINFO_H

#include "mlir/IR/Operation.h"

namespace mlir::nnet3 {

/// Makes the debug information of an allocation that of `rows` rows, if it has
/// any: rows that are added are blank ones of the sequences that came as many
/// rows before.
void extendDebugInfo(Operation *allocation, int64_t rows);

} // namespace mlir::nnet3

#endif // NNET3_OPTIMIZE_DEBUGINFO_H
