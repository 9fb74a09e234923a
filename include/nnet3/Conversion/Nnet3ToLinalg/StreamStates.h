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

/// The states of a request of a stream. In the IR, the caller keeps the states
/// of input nodes (`nnet3.stream_state`). expose() makes them arguments and
/// results of the function of the request, like the states of components.
class StreamStates {
public:
  /// Returns the states of `request`, a request of `stream`; nullopt for other
  /// requests, and for requests of several sequences.
  static std::optional<StreamStates> get(StreamOp stream, RequestOp request);

  /// The names of the states of input nodes and components, each with the name
  /// of the result that has its next value.
  ArrayRef<std::pair<std::string, std::string>> getNames() const {
    return names;
  }
  /// For each input node with a state, the rows that the caller supplies; the
  /// other rows are in the state.
  ArrayRef<std::pair<std::string, IndexesAttr>> getNewRows() const {
    return newRows;
  }
  bool isFirst() const { return first; }

  /// Adds arguments and results for the states of input nodes to the function
  /// of the request. The arguments for input nodes then have the new rows only.
  void expose(func::FuncOp function) const;

private:
  struct InputState {
    std::string node;
    int64_t rows; ///< number of rows of the request in the state
    /// The rows of the request that form the next state.
    SmallVector<int64_t> next;
  };

  SmallVector<InputState> inputs;
  SmallVector<std::pair<std::string, std::string>> names;
  SmallVector<std::pair<std::string, IndexesAttr>> newRows;
  bool first = false;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOLINALG_STREAMSTATES_H
