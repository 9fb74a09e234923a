//===- TensorData.cpp - Elements of tensor attributes ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Target/Kaldi/TensorData.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include <cstring>

using namespace mlir;

namespace mlir::nnet3 {

/// Returns the elements of a resource if it exists and has the right size.
static std::optional<ArrayRef<float>>
getResourceData(DenseResourceElementsAttr tensor, std::vector<float> &storage) {
  AsmResourceBlob *blob = tensor.getRawHandle().getBlob();
  size_t count = tensor.getNumElements();
  if (!blob || blob->getData().size() / sizeof(float) != count ||
      blob->getData().size() % sizeof(float) != 0)
    return std::nullopt;
  const char *data = blob->getData().data();
  if (reinterpret_cast<uintptr_t>(data) % alignof(float) == 0)
    return ArrayRef<float>(reinterpret_cast<const float *>(data), count);
  // A resource in a file may be unaligned.
  storage.resize(count);
  std::memcpy(storage.data(), data, count * sizeof(float));
  return ArrayRef<float>(storage);
}

std::optional<ArrayRef<float>> getTensorData(ElementsAttr tensor,
                                             std::vector<float> &storage) {
  if (!tensor.getElementType().isF32())
    return std::nullopt;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(tensor))
    return getResourceData(resource, storage);
  auto dense = dyn_cast<DenseElementsAttr>(tensor);
  if (!dense)
    return std::nullopt;
  storage.clear();
  llvm::append_range(storage, dense.getValues<float>());
  return ArrayRef<float>(storage);
}

DenseResourceElementsAttr makeByteData(MLIRContext *context, StringRef bytes,
                                       StringRef key) {
  auto type = RankedTensorType::get({static_cast<int64_t>(bytes.size())},
                                    IntegerType::get(context, 8));
  AsmResourceBlob blob = HeapAsmResourceBlob::allocateAndCopyWithAlign(
      ArrayRef<char>(bytes.data(), bytes.size()), alignof(float));
  return DenseResourceElementsAttr::get(type, key, std::move(blob));
}

std::optional<StringRef> getByteData(ElementsAttr tensor) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(tensor);
  if (!resource || !tensor.getElementType().isInteger(8))
    return std::nullopt;
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob ||
      blob->getData().size() != static_cast<size_t>(tensor.getNumElements()))
    return std::nullopt;
  return StringRef(blob->getData().data(), blob->getData().size());
}

float *TensorStorage::allocate(ArrayRef<int64_t> tensorShape) {
  shape.assign(tensorShape.begin(), tensorShape.end());
  numElements = ShapedType::getNumElements(shape);
  blob = HeapAsmResourceBlob::allocate(numElements * sizeof(float),
                                       alignof(float));
  return reinterpret_cast<float *>(blob.getMutableData().data());
}

DenseResourceElementsAttr TensorStorage::take(MLIRContext *context,
                                              const Twine &key) {
  auto type = RankedTensorType::get(shape, Float32Type::get(context));
  std::string name = key.str();
  return DenseResourceElementsAttr::get(type, name, std::move(blob));
}

} // namespace mlir::nnet3
