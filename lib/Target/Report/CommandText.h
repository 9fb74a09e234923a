//===- CommandText.h - Commands as text -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_LIB_TARGET_REPORT_COMMANDTEXT_H
#define NNET3_LIB_TARGET_REPORT_COMMANDTEXT_H

#include "nnet3/Target/Report/ComputationSummary.h"

namespace mlir::nnet3 {

/// Sets the subject and text of `command`, whose operands are set already:
/// `propagate @affine %2 -> %3(0:35, 0:9)`. Parts of matrices are printed as
/// first and last row and column. Matrices from `firstResult` on are new.
void describeCommand(Operation *op, llvm::ArrayRef<SummaryMatrix> matrices,
                     int32_t firstResult, SummaryCommand &command);

} // namespace mlir::nnet3

#endif // NNET3_LIB_TARGET_REPORT_COMMANDTEXT_H
