//===- OnnxExport.h - Functions on tensors as ONNX models -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TARGET_ONNX_ONNXEXPORT_H
#define NNET3_TARGET_ONNX_ONNXEXPORT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <map>
#include <string>

namespace mlir::nnet3 {

/// The versions of written models: opset 17 and version 8 of the format, both
/// of ONNX 1.12.
inline constexpr int64_t kOnnxOpset = 17, kOnnxIRVersion = 8;

/// The names and the metadata of a model.
struct OnnxNames {
  std::string graph;
  /// The names of inputs and outputs that differ from the names of their nodes.
  std::map<std::string, std::string> renamed;
  std::map<std::string, std::string> metadata;
};

/// Writes `function`, which `convert-nnet3-to-linalg` made, as an ONNX model.
/// Each input and output gets a dimension `batch` before its rows, for several
/// sequences. Emits an error at operations without a counterpart in ONNX.
LogicalResult writeOnnx(func::FuncOp function, const OnnxNames &names,
                        llvm::raw_ostream &os);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_ONNX_ONNXEXPORT_H
