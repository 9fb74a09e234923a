//===- OnnxTensor.h - Constants of ONNX models ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LIB_TARGET_ONNX_IMPORT_ONNXTENSOR_H
#define LIB_TARGET_ONNX_IMPORT_ONNXTENSOR_H

#include "mlir/IR/Diagnostics.h"
#include "onnx.pb.h"

namespace mlir::nnet3 {

/// Sizes that a model leaves open, where it computes with the shapes of its
/// tensors.
inline constexpr int64_t kFreeSequences = INT64_MIN + 1;
inline constexpr int64_t kFreeFrames = INT64_MIN + 2;

/// A tensor whose elements are known: numbers, or sizes.
struct OnnxTensor {
  SmallVector<int64_t> shape;
  bool isInteger = false;
  std::vector<float> reals;
  std::vector<int64_t> integers;

  /// A vector of integers.
  static OnnxTensor ofIntegers(ArrayRef<int64_t> values);
  /// One integer without a dimension.
  static OnnxTensor ofInteger(int64_t value);

  int64_t size() const { return isInteger ? integers.size() : reals.size(); }
  /// Whether all elements are zero.
  bool isZero() const;
};

/// Decodes the elements of `tensor`, of any type of real or integer numbers.
FailureOr<OnnxTensor>
decodeTensor(const onnx::TensorProto &tensor,
             function_ref<InFlightDiagnostic()> emitError);

/// Elements begin, begin + step, ... of one dimension, up to but not including
/// `end`; a negative step goes back.
OnnxTensor slice(const OnnxTensor &tensor, size_t dim, int64_t begin,
                 int64_t end, int64_t step);

/// The transpose: dimension i of the result is dimension permutation[i].
OnnxTensor transpose(const OnnxTensor &tensor, ArrayRef<int64_t> permutation);

} // namespace mlir::nnet3

#endif // LIB_TARGET_ONNX_IMPORT_ONNXTENSOR_H
