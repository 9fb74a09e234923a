//===- MomentSums.h - Second moments of rows --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TOOLS_MOMENTSUMS_H
#define NNET3_TOOLS_MOMENTSUMS_H

#include "nnet3/Surgery/LinearAlgebra.h"
#include "nnet3/Tools/NetworkComputer.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::nnet3 {

/// Rows z(t) = Append_i(rows(t + timeOffsets[i])).
struct MomentRows {
  /// A node of the network, or what a node reads.
  Value rows;
  SmallVector<int64_t> timeOffsets = {0};
};

/// Adds up z z^T of some rows z.
class MomentSums {
public:
  /// `rows` are of `network`, which is of `file`. Emits errors.
  static FailureOr<std::unique_ptr<MomentSums>>
  create(NetworkOp network, ArrayRef<MomentRows> rows, StringRef file,
         const RunnerOptions &runnerOptions, UtteranceOptions options);

  /// Adds all frames of an utterance. Emits errors.
  LogicalResult add(const Utterance &utterance);

  /// The mean z z^T of rows `i`.
  DoubleMatrix getMean(size_t i) const;

  /// Writes the means as a table, rows of nodes with the names of these.
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

#endif // NNET3_TOOLS_MOMENTSUMS_H
