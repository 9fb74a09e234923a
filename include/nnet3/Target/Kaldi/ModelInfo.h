//===- ModelInfo.h - Texts about models -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TARGET_KALDI_MODELINFO_H
#define NNET3_TARGET_KALDI_MODELINFO_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

namespace mlir::nnet3 {

/// Writes what Kaldi's nnet3-info prints (spec: nnet3bin.md 5): contexts, nodes
/// with their dims, and a line for each component. Emits an error if components
/// have no parameters. `verbose` is Kaldi's: from 2 on, matrices have their
/// singular values.
LogicalResult writeNetworkInfo(NetworkOp network, llvm::raw_ostream &os,
                               int32_t verbose = 0);

/// Writes what Kaldi's nnet3-am-info prints: dims and priors before the same.
LogicalResult writeAcousticModelInfo(NetworkOp network, llvm::raw_ostream &os,
                                     int32_t verbose = 0);

/// The numbers that training changes.
int64_t countParameters(NetworkOp network);

/// Multiply-adds of the products with weights, and of attention, if each node
/// is computed for one row.
int64_t countMultiplyAdds(NetworkOp network);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_KALDI_MODELINFO_H
