//===- TensorData.h - Elements of tensor attributes -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TARGET_KALDI_TENSORDATA_H
#define NNET3_TARGET_KALDI_TENSORDATA_H

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinAttributes.h"
#include <optional>
#include <vector>

namespace mlir::nnet3 {

/// Returns the elements of a float32 tensor attribute (`dense` or
/// `dense_resource`), row by row. The result points into the attribute if
/// possible, otherwise to a copy in `storage`. Returns nullopt for other
/// attributes, and if the resource is missing or has the wrong size.
std::optional<llvm::ArrayRef<float>> getTensorData(ElementsAttr tensor,
                                                   std::vector<float> &storage);

/// Creates a `tensor<Nxi8>` of `bytes`, as a resource named like those of
/// TensorStorage.
DenseResourceElementsAttr
makeByteData(MLIRContext *context, llvm::StringRef bytes, llvm::StringRef key);

/// Returns the bytes of such a tensor, which point into the attribute. Returns
/// nullopt for other attributes, and if the resource is missing or has the
/// wrong size.
std::optional<llvm::StringRef> getByteData(ElementsAttr tensor);

/// Memory for the elements of a tensor that becomes an attribute without being
/// copied.
class TensorStorage {
public:
  /// Returns uninitialised memory for a tensor of `shape`. Call it once.
  float *allocate(llvm::ArrayRef<int64_t> shape);

  /// Whether there are no elements.
  bool empty() const { return numElements == 0; }

  /// Creates the attribute with a resource named `key`, or with a name that
  /// begins with `key` if that is in use.
  DenseResourceElementsAttr take(MLIRContext *context, const llvm::Twine &key);

private:
  llvm::SmallVector<int64_t, 2> shape;
  int64_t numElements = 0;
  AsmResourceBlob blob;
};

} // namespace mlir::nnet3

#endif // NNET3_TARGET_KALDI_TENSORDATA_H
