//===- NetworkDrawing.h - A network as boxes and arrows ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TARGET_REPORT_NETWORKDRAWING_H
#define NNET3_TARGET_REPORT_NETWORKDRAWING_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"
#include <string>
#include <vector>

namespace mlir::nnet3 {

/// A node of the network, or a descriptor that is not a label of an arrow.
struct NetworkBox {
  enum class Kind { Input, Component, DimRange, Output, Descriptor };
  Kind kind;
  /// The name of the node, or the operation of a descriptor.
  std::string name;
  /// The component's name and type, or the columns of a dim range; else empty.
  std::string component, detail;
  /// Number of columns.
  int64_t dim = 0;
  /// Number of the component's parameters that have values.
  int64_t numParameters = 0;
  /// The rows of the node that a stream keeps from chunk to chunk, as text;
  /// empty if it keeps none.
  std::string state = {};
  /// The precision of the component's matmuls and its measured error; empty for
  /// f32, and before lowering to kernels.
  std::string precision = {};
};

/// An arrow from a box to a box that reads its rows.
struct NetworkArrow {
  int32_t from, to;
  /// The descriptors with one operand between the boxes, from the source on.
  std::string label;
  /// Whether the arrow closes a cycle.
  bool isRecurrent = false;
};

/// The boxes and arrows of a network, in the order of its ops.
struct NetworkDrawing {
  std::string name;
  std::vector<NetworkBox> boxes;
  std::vector<NetworkArrow> arrows;

  /// Creates the drawing of a network, which must be verified.
  static NetworkDrawing get(NetworkOp network);
};

/// Returns a lower-case word for a kind of box.
llvm::StringRef getName(NetworkBox::Kind kind);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_REPORT_NETWORKDRAWING_H
