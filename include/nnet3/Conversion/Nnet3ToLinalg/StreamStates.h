//===- StreamStates.h - The state of a stream as values ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOLINALG_STREAMSTATES_H
#define NNET3_CONVERSION_NNET3TOLINALG_STREAMSTATES_H

#include "nnet3/Dialect/Nnet3/IR/StreamOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <optional>
#include <string>

namespace mlir::nnet3 {

/// The states of a request of a stream. The rows of input nodes are the
/// caller's own in `nnet3.stream_state`. A function of the request has an
/// argument and a result for them, too, as for the states of components.
class StreamStates {
public:
  /// Of `request`, one of the requests of `stream`; nothing for others, and for
  /// requests of several sequences.
  static std::optional<StreamStates> get(StreamOp stream, RequestOp request);

  /// The names of the states of input nodes and components, each with the name
  /// of the result that is its next state.
  ArrayRef<std::pair<std::string, std::string>> getNames() const {
    return names;
  }
  /// For each input node with a state: the rows that the caller supplies. The
  /// other rows come from the state.
  ArrayRef<std::pair<std::string, IndexesAttr>> getNewRows() const {
    return newRows;
  }
  bool isFirst() const { return first; }

  /// Adds arguments and results for the states of input nodes to the function
  /// of the request. Arguments for nodes then have the new rows alone.
  void expose(func::FuncOp function) const;

private:
  struct InputState {
    std::string node;
    int64_t rows; ///< that the request takes from before
    /// Which of all rows of the request the next state is.
    SmallVector<int64_t> next;
  };

  SmallVector<InputState> inputs;
  SmallVector<std::pair<std::string, std::string>> names;
  SmallVector<std::pair<std::string, IndexesAttr>> newRows;
  bool first = false;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOLINALG_STREAMSTATES_H
