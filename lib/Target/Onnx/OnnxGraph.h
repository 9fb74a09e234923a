//===- OnnxGraph.h - Nodes and constants of an ONNX graph -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_TARGET_ONNX_ONNXGRAPH_H
#define NNET3_LIB_TARGET_ONNX_ONNXGRAPH_H

#include "mlir/IR/BuiltinAttributes.h"
#include "onnx.pb.h"

namespace mlir::nnet3 {

/// Adds nodes and constants to a graph.
class OnnxGraph {
public:
  explicit OnnxGraph(onnx::GraphProto &graph) : graph(graph) {}

  /// Adds a node, and returns the name of its output.
  std::string add(llvm::StringRef kind, llvm::ArrayRef<std::string> inputs);
  /// An attribute of the node that was added last.
  void setAttribute(llvm::StringRef name, int64_t value);
  void setAttribute(llvm::StringRef name, llvm::ArrayRef<int64_t> values);
  /// The last node's output gets this name.
  void rename(llvm::StringRef output);

  /// The name of a constant of these integers, each list once.
  std::string getIntegers(llvm::ArrayRef<int64_t> values);
  /// The name of a constant with the elements of `value` and with this shape.
  /// Returns an empty name for an element type that ONNX lacks.
  std::string addConstant(DenseElementsAttr value,
                          llvm::ArrayRef<int64_t> shape);

  /// The number of ONNX for an element type; 0 if it has none.
  static int32_t getElementType(Type type);

private:
  onnx::GraphProto &graph;
  int64_t numNames = 0;
  std::map<std::vector<int64_t>, std::string> integers;
};

} // namespace mlir::nnet3

#endif // NNET3_LIB_TARGET_ONNX_ONNXGRAPH_H
