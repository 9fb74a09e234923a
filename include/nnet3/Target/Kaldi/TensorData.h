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

/// The elements of a float32 tensor attribute (`dense` or `dense_resource`),
/// row by row. Where possible they are not copied but point into the attribute;
/// otherwise into `storage`. Nothing if the attribute is of another kind or its
/// resource is missing or of the wrong size.
std::optional<llvm::ArrayRef<float>> getTensorData(ElementsAttr tensor,
                                                   std::vector<float> &storage);

/// A `tensor<Nxi8>` of `bytes`, a resource named as by TensorStorage.
DenseResourceElementsAttr
makeByteData(MLIRContext *context, llvm::StringRef bytes, llvm::StringRef key);

/// The bytes of such a tensor, which are the attribute's. Nothing if it is of
/// another kind or its resource is missing or of the wrong size.
std::optional<llvm::StringRef> getByteData(ElementsAttr tensor);

/// Memory for the elements of a tensor that becomes an attribute without being
/// copied.
class TensorStorage {
public:
  /// Memory for a tensor of `shape`, not initialised. Called once.
  float *allocate(llvm::ArrayRef<int64_t> shape);

  /// Whether there are no elements.
  bool empty() const { return numElements == 0; }

  /// The attribute, with a resource named `key` or, where that name is taken, a
  /// name that begins with it.
  DenseResourceElementsAttr take(MLIRContext *context, const llvm::Twine &key);

private:
  llvm::SmallVector<int64_t, 2> shape;
  int64_t numElements = 0;
  AsmResourceBlob blob;
};

} // namespace mlir::nnet3

#endif // NNET3_TARGET_KALDI_TENSORDATA_H
