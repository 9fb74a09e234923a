//===- MomentSums.h - Second moments of rows --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TOOLS_COMMON_MOMENTSUMS_H
#define NNET3_TOOLS_COMMON_MOMENTSUMS_H

#include "nnet3/Surgery/LinearAlgebra.h"
#include "nnet3/Tools/Common/NetworkComputer.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::nnet3 {

/// Rows z(t) = Append_i(rows(t + timeOffsets[i])).
struct MomentRows {
  /// The value of a node of the network, or of the input of a node.
  Value rows;
  SmallVector<int64_t> timeOffsets = {0};
};

/// Accumulates z z^T over rows z.
class MomentSums {
public:
  /// `rows` belong to `network`, which was read from `file`. Emits errors.
  static FailureOr<std::unique_ptr<MomentSums>>
  create(NetworkOp network, ArrayRef<MomentRows> rows, StringRef file,
         const RunnerOptions &runnerOptions, UtteranceOptions options);

  /// Adds all frames of an utterance. Emits errors.
  LogicalResult add(const Utterance &utterance);

  /// Returns the mean of z z^T of rows `i`.
  DoubleMatrix getMean(size_t i) const;

  /// Writes the means as a table; the key of rows of a node is its name.
  llvm::Error write(StringRef table,
                    const ::nnet3::kaldi::TableOptions &options) const;

private:
  struct Sum {
    std::string node;
    /// The range of columns of the output.
    int64_t first, dim;
    DoubleMatrix sum;
  };

  OwningOpRef<ModuleOp> module;
  NetworkComputer computer;
  std::vector<Sum> sums;
  int64_t numFrames = 0;
};

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_COMMON_MOMENTSUMS_H
