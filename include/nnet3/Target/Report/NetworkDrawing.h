//===- NetworkDrawing.h - A network as boxes and arrows ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TARGET_REPORT_NETWORKDRAWING_H
#define NNET3_TARGET_REPORT_NETWORKDRAWING_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"
#include <string>
#include <vector>

namespace mlir::nnet3 {

/// A node of the network, or a descriptor that is no mere label of an arrow.
struct NetworkBox {
  enum class Kind { Input, Component, DimRange, Output, Descriptor };
  Kind kind;
  /// Name of the node; what a descriptor does.
  std::string name;
  /// The component's name and type; columns of a dim range; else empty.
  std::string component, detail;
  /// Columns of its rows.
  int64_t dim = 0;
  /// Of the component, as far as it has values for them.
  int64_t numParameters = 0;
  /// The rows of the node that a stream keeps from chunk to chunk, as text;
  /// empty if it keeps none.
  std::string state = {};
  /// In which numbers the component's matmuls are computed, and the error that
  /// was measured; empty for f32, and where there are no kernels yet.
  std::string precision = {};
};

/// The rows of one box used by another.
struct NetworkArrow {
  int32_t from, to;
  /// Descriptors with one operand on the way, from the source on.
  std::string label;
  /// Closes a cycle.
  bool isRecurrent = false;
};

/// What there is to see of a network, in the order of its ops.
struct NetworkDrawing {
  std::string name;
  std::vector<NetworkBox> boxes;
  std::vector<NetworkArrow> arrows;

  /// The network must be verified.
  static NetworkDrawing get(NetworkOp network);
};

/// For each kind of box, a word in lower case.
llvm::StringRef getName(NetworkBox::Kind kind);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_REPORT_NETWORKDRAWING_H
