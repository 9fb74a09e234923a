//===- NetworkBuilder.h - Components and nodes of a new network -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LIB_TARGET_ONNX_IMPORT_NETWORKBUILDER_H
#define LIB_TARGET_ONNX_IMPORT_NETWORKBUILDER_H

#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

#include "llvm/ADT/StringSet.h"

namespace mlir::nnet3 {

/// Adds components and nodes to a network. Each component has one node of the
/// same name.
class NetworkBuilder {
public:
  explicit NetworkBuilder(NetworkOp network);

  /// Returns an unused name made from `wanted`; dots replace invalid
  /// characters.
  std::string makeName(StringRef wanted);

  Descriptor addInput(Location loc, StringRef name, int64_t dim);
  LogicalResult addOutput(Location loc, StringRef name,
                          const Descriptor &input);
  /// Adds a component of the type that findStepOperation returns for `step`,
  /// and its node.
  FailureOr<Descriptor> addNode(Location loc, const Twine &name, StringRef step,
                                ArrayRef<NamedAttribute> attributes,
                                const Descriptor &input);
  /// Adds a dim-range of the columns [begin, begin + dim) of a node.
  Descriptor addColumns(Location loc, const Twine &name, const Descriptor &node,
                        int64_t begin, int64_t dim);

  /// Adds a placeholder for a node of `dim` columns that is read before it is
  /// added.
  Descriptor addPlaceholder(Location loc, int64_t dim);
  /// Replaces a placeholder by the node.
  void replacePlaceholder(const Descriptor &placeholder,
                          const Descriptor &node);

  NamedAttribute getInt(StringRef name, int64_t value);
  NamedAttribute getReal(StringRef name, double value);
  NamedAttribute getBool(StringRef name, bool value);
  /// Returns the attribute with the number of frames of the statistics.
  NamedAttribute getCount(double value);
  /// Returns the attribute for parameter `name` of a component.
  NamedAttribute getTensor(const Twine &component, StringRef name,
                           ArrayRef<int64_t> shape, ArrayRef<float> values);

private:
  /// Builds the value of an expression, for the input of a node.
  FailureOr<Value> build(Location loc, const Descriptor &expression);
  Descriptor getNode(StringRef name, Value value);

  NetworkOp network;
  OpBuilder components, nodes;
  llvm::StringSet<> names;
};

} // namespace mlir::nnet3

#endif // LIB_TARGET_ONNX_IMPORT_NETWORKBUILDER_H
