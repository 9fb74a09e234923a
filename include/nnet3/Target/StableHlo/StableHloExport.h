//===- StableHloExport.h - Functions on tensors as StableHLO ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TARGET_STABLEHLO_STABLEHLOEXPORT_H
#define NNET3_TARGET_STABLEHLO_STABLEHLOEXPORT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::nnet3 {

/// Writes `function`, which `convert-nnet3-to-linalg` made, as the text of a
/// module of the StableHLO dialect with the function @main. Arguments and
/// results have the names of their nodes as `nnet3.node`. Emits an error at
/// operations without a counterpart in StableHLO.
LogicalResult writeStableHlo(func::FuncOp function, llvm::raw_ostream &os);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_STABLEHLO_STABLEHLOEXPORT_H
