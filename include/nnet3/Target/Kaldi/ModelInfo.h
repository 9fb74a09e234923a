//===- ModelInfo.h - Descriptions of models ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TARGET_KALDI_MODELINFO_H
#define NNET3_TARGET_KALDI_MODELINFO_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

namespace mlir::nnet3 {

/// Writes the output of Kaldi's nnet3-info (spec: nnet3bin.md 5): contexts,
/// nodes with their dims, and a line for each component. `verbose` has Kaldi's
/// meaning: from 2 on, singular values of matrices are printed. Emits an error
/// if components have no parameters.
LogicalResult writeNetworkInfo(NetworkOp network, llvm::raw_ostream &os,
                               int32_t verbose = 0);

/// Writes the output of Kaldi's nnet3-am-info: dims and priors, then the output
/// of writeNetworkInfo().
LogicalResult writeAcousticModelInfo(NetworkOp network, llvm::raw_ostream &os,
                                     int32_t verbose = 0);

/// Number of trained parameters, in floats.
int64_t countParameters(NetworkOp network);

/// Number of multiply-adds of matmuls with weights, and of attention, if each
/// node is computed for one row.
int64_t countMultiplyAdds(NetworkOp network);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_KALDI_MODELINFO_H
