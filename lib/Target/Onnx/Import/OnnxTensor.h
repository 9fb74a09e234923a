//===- OnnxTensor.h - Constants of ONNX models ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LIB_TARGET_ONNX_IMPORT_ONNXTENSOR_H
#define LIB_TARGET_ONNX_IMPORT_ONNXTENSOR_H

#include "mlir/IR/Diagnostics.h"
#include "onnx.pb.h"

namespace mlir::nnet3 {

/// Stand for dynamic sizes where a model computes with shapes.
inline constexpr int64_t kFreeSequences = INT64_MIN + 1;
inline constexpr int64_t kFreeFrames = INT64_MIN + 2;

/// A tensor with known elements: numbers or sizes.
struct OnnxTensor {
  SmallVector<int64_t> shape;
  bool isInteger = false;
  std::vector<float> reals;
  std::vector<int64_t> integers;

  /// Makes a vector of integers.
  static OnnxTensor ofIntegers(ArrayRef<int64_t> values);
  /// Makes a scalar integer.
  static OnnxTensor ofInteger(int64_t value);

  int64_t size() const { return isInteger ? integers.size() : reals.size(); }
  /// Returns true if all elements are zero.
  bool isZero() const;
};

/// Decodes the elements of `tensor`, of any real or integer type.
FailureOr<OnnxTensor>
decodeTensor(const onnx::TensorProto &tensor,
             function_ref<InFlightDiagnostic()> emitError);

/// Returns elements begin, begin + step, ... of dimension `dim`, excluding
/// `end`; a negative step goes backwards.
OnnxTensor slice(const OnnxTensor &tensor, size_t dim, int64_t begin,
                 int64_t end, int64_t step);

/// Returns the transpose: dimension i of the result is dimension
/// permutation[i].
OnnxTensor transpose(const OnnxTensor &tensor, ArrayRef<int64_t> permutation);

} // namespace mlir::nnet3

#endif // LIB_TARGET_ONNX_IMPORT_ONNXTENSOR_H
