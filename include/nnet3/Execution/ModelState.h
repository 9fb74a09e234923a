//===- ModelState.h - Models of the runtime as networks ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_EXECUTION_MODELSTATE_H
#define NNET3_EXECUTION_MODELSTATE_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"
#include "nnet3/runtime/Model.h"

#include "mlir/IR/OwningOpRef.h"

namespace mlir::nnet3 {

/// Returns a copy of `network`, which is in no block, with the parameters and
/// statistics of `model`, the model of a program of the network. Other
/// attributes of components are not changed.
OwningOpRef<NetworkOp> exportModel(const ::nnet3::rt::Model &model,
                                   NetworkOp network);

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_MODELSTATE_H
