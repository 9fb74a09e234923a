//===- MeasureMoments.h - Second moments of nodes ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_PRUNE_MEASUREMOMENTS_H
#define LIB_TOOLS_PRUNE_MEASUREMOMENTS_H

#include "nnet3/Surgery/LinearAlgebra.h"
#include "nnet3/Tools/NetworkComputer.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::nnet3 {

/// Adds up z z^T of the rows z of some nodes.
class MomentSums {
public:
  /// `nodes` are nodes of `network`, which is of `file`. Emits errors.
  static FailureOr<std::unique_ptr<MomentSums>>
  create(NetworkOp network, ArrayRef<Value> nodes, StringRef file,
         const RunnerOptions &runnerOptions, UtteranceOptions options);

  /// Adds all frames of an utterance. Emits errors.
  LogicalResult add(const Utterance &utterance);

  /// Writes the means as a table, with a matrix for each node.
  llvm::Error write(StringRef table,
                    const ::nnet3::kaldi::TableOptions &options) const;

private:
  struct Sum {
    std::string node;
    /// The columns of the output.
    int64_t first, dim;
    DoubleMatrix sum;
  };

  OwningOpRef<ModuleOp> module;
  NetworkComputer computer;
  std::vector<Sum> sums;
  int64_t numFrames = 0;
};

} // namespace mlir::nnet3

#endif // LIB_TOOLS_PRUNE_MEASUREMOMENTS_H
