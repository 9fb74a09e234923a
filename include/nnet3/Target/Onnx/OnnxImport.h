//===- OnnxImport.h - ONNX models as networks -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TARGET_ONNX_ONNXIMPORT_H
#define NNET3_TARGET_ONNX_ONNXIMPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"
#include <string>

namespace mlir::nnet3 {

/// The axes of inputs by their names, one letter per dimension: `N` sequences,
/// `T` frames, `C` columns.
using OnnxLayouts = llvm::StringMap<std::string>;

/// Reads an ONNX model whose inputs have a time axis into a module with the
/// network `@network`. Frame i of an input is its row at t = i;
/// docs/user/FromOnnx.md gives the times of outputs.
///
/// `data` is needed only during the call; `name` is the name of the file for
/// errors. Inputs without a layout in `layouts` have the layout that their
/// readers expect. On failure, emits an error and returns null; the error names
/// the ONNX node that is not supported.
OwningOpRef<ModuleOp> readOnnx(llvm::StringRef data, llvm::StringRef name,
                               const OnnxLayouts &layouts,
                               MLIRContext *context);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_ONNX_ONNXIMPORT_H
