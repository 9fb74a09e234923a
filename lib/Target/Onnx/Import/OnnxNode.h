//===- OnnxNode.h - A node of an ONNX graph ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LIB_TARGET_ONNX_IMPORT_ONNXNODE_H
#define LIB_TARGET_ONNX_IMPORT_ONNXNODE_H

#include "mlir/IR/Diagnostics.h"
#include "onnx.pb.h"

namespace mlir::nnet3 {

/// A node with its attributes and its location for errors.
class OnnxNode {
public:
  OnnxNode(const onnx::NodeProto &proto, Location loc)
      : proto(proto), loc(loc) {}

  StringRef getKind() const { return proto.op_type(); }
  /// Returns the name of the node, or of its first output if it has none.
  static StringRef getName(const onnx::NodeProto &proto);
  Location getLoc() const { return loc; }
  InFlightDiagnostic emitError() const { return mlir::emitError(loc); }

  size_t getNumInputs() const { return proto.input_size(); }
  size_t getNumOutputs() const { return proto.output_size(); }
  /// Returns the name of an input; empty if it is absent.
  StringRef getInput(size_t i) const {
    return i < getNumInputs() ? StringRef(proto.input(i)) : StringRef();
  }
  StringRef getOutput(size_t i = 0) const {
    return i < getNumOutputs() ? StringRef(proto.output(i)) : StringRef();
  }

  /// Returns an attribute; null if there is none.
  const onnx::AttributeProto *find(StringRef attribute) const;
  int64_t getInt(StringRef attribute, int64_t otherwise) const;
  double getFloat(StringRef attribute, double otherwise) const;
  StringRef getString(StringRef attribute, StringRef otherwise) const;
  /// Returns a list attribute; none if there is no such attribute.
  std::optional<SmallVector<int64_t>> getInts(StringRef attribute) const;

private:
  const onnx::NodeProto &proto;
  Location loc;
};

} // namespace mlir::nnet3

#endif // LIB_TARGET_ONNX_IMPORT_ONNXNODE_H
