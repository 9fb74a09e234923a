//===- OnnxExport.h - Functions on tensors as ONNX models -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TARGET_ONNX_ONNXEXPORT_H
#define NNET3_TARGET_ONNX_ONNXEXPORT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <map>
#include <string>

namespace mlir::nnet3 {

/// Of the models that are written: opset 17 came with ONNX 1.12, as did version
/// 8 of the format.
inline constexpr int64_t kOnnxOpset = 17, kOnnxIRVersion = 8;

/// The names and the metadata of a model.
struct OnnxNames {
  std::string graph;
  /// What inputs and outputs are called that have another name than their
  /// node.
  std::map<std::string, std::string> renamed;
  std::map<std::string, std::string> metadata;
};

/// Writes `function`, which `convert-nnet3-to-linalg` made, as an ONNX model.
/// Each input and output gets a dimension `batch` before its rows: sequences
/// that are computed side by side. Fails with an error for operations that have
/// no counterpart.
LogicalResult writeOnnx(func::FuncOp function, const OnnxNames &names,
                        llvm::raw_ostream &os);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_ONNX_ONNXEXPORT_H
