//===- AcousticModel.h - Writing of acoustic models -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_COMMON_ACOUSTICMODEL_H
#define NNET3_TOOLS_COMMON_ACOUSTICMODEL_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

namespace mlir::nnet3 {

/// Writes the acoustic model of `network` like `writeAcousticModel`, with the
/// contexts of the network. Emits an error if the network is not simple or was
/// not read from an acoustic model.
llvm::LogicalResult writeMdl(NetworkOp network, llvm::raw_ostream &os,
                             bool binary, unsigned digits);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_COMMON_ACOUSTICMODEL_H
