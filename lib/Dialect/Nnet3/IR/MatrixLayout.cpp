//===- MatrixLayout.cpp - The layout of a matrix in memory ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

using namespace mlir;
using namespace mlir::nnet3;

std::optional<MatrixLayout> MatrixLayout::get(MemRefType type) {
  MemRefLayoutAttrInterface layout = type.getLayout();
  auto make = [](ArrayRef<int64_t> strides,
                 int64_t offset) -> std::optional<MatrixLayout> {
    if (strides[1] != 1)
      return std::nullopt;
    return MatrixLayout{strides[0], offset};
  };
  // First, since isIdentity() makes an affine map of it.
  if (auto strided = dyn_cast<StridedLayoutAttr>(layout))
    return make(strided.getStrides(), strided.getOffset());
  if (layout.isIdentity())
    return MatrixLayout{type.getDimSize(1), 0};
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return std::nullopt;
  return make(strides, offset);
}

MemRefType mlir::nnet3::getViewType(MemRefType type, int64_t rowOffset,
                                    int64_t numRows, int64_t colOffset,
                                    int64_t numCols) {
  const MatrixLayout layout = *MatrixLayout::get(type);
  auto strided = StridedLayoutAttr::get(
      type.getContext(), layout.offset + rowOffset * layout.stride + colOffset,
      {layout.stride, 1});
  return MemRefType::get({numRows, numCols}, type.getElementType(), strided);
}
