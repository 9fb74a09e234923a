//===- ModuleJson.h - Operations as JSON ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON for programs that read IR without MLIR, such as the Python package.
// docs/user/Inspecting.md describes the format.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_TARGET_JSON_MODULEJSON_H
#define NNET3_TARGET_JSON_MODULEJSON_H

#include "mlir/IR/Operation.h"
#include "llvm/Support/JSON.h"
#include <vector>

namespace mlir::nnet3 {

/// A concatenation of float32 tensors.
class TensorFile {
public:
  /// Adds `tensor`; returns its offset in floats, or nullopt if its elements
  /// are not float32 or are missing.
  std::optional<uint64_t> add(ElementsAttr tensor);

  /// Writes all elements, little-endian.
  void write(llvm::raw_ostream &os) const;

private:
  std::vector<ElementsAttr> tensors;
  uint64_t size = 0;
};

/// Describes `op` and the operations in it. Adds the elements of tensors to
/// `tensors`.
llvm::json::Value describeOperation(Operation *op, TensorFile &tensors);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_JSON_MODULEJSON_H
