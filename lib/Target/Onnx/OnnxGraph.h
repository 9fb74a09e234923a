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

  /// Adds a node and returns the name of its output.
  std::string add(llvm::StringRef kind, llvm::ArrayRef<std::string> inputs);
  /// Sets an attribute of the last node.
  void setAttribute(llvm::StringRef name, int64_t value);
  void setAttribute(llvm::StringRef name, llvm::ArrayRef<int64_t> values);
  /// Renames the output of the last node.
  void rename(llvm::StringRef output);

  /// Returns the name of a constant list of integers; equal lists share it.
  std::string getIntegers(llvm::ArrayRef<int64_t> values);
  /// Adds a constant with the elements of `value` and this shape, and returns
  /// its name. The name is empty if ONNX lacks the element type.
  std::string addConstant(DenseElementsAttr value,
                          llvm::ArrayRef<int64_t> shape);

  /// Returns ONNX's number of an element type; 0 if there is none.
  static int32_t getElementType(Type type);

private:
  onnx::GraphProto &graph;
  int64_t numNames = 0;
  std::map<std::vector<int64_t>, std::string> integers;
};

} // namespace mlir::nnet3

#endif // NNET3_LIB_TARGET_ONNX_ONNXGRAPH_H
