//===- AcousticModel.h - Acoustic models, written ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_ACOUSTICMODEL_H
#define NNET3_TOOLS_ACOUSTICMODEL_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

namespace mlir::nnet3 {

/// Writes the acoustic model of `network` as `writeAcousticModel` does, with
/// the contexts that the network has. Emits an error if it is not simple or was
/// not read from an acoustic model.
llvm::LogicalResult writeMdl(NetworkOp network, llvm::raw_ostream &os,
                             bool binary, unsigned digits);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_ACOUSTICMODEL_H
