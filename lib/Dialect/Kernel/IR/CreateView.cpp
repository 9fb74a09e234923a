//===- CreateView.cpp - Views of memory -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Kernel/IR/CreateView.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

Value mlir::nnet3::kernel::createView(OpBuilder &builder, Location loc,
                                      Value memory, Value offset,
                                      ArrayRef<int64_t> sizes,
                                      ArrayRef<int64_t> strides) {
  auto layout = StridedLayoutAttr::get(builder.getContext(),
                                       ShapedType::kDynamic, strides);
  auto type = MemRefType::get(
      sizes, cast<MemRefType>(memory.getType()).getElementType(), layout);
  auto fold = [&](ArrayRef<int64_t> values) {
    return getAsIndexOpFoldResult(builder.getContext(), values);
  };
  return memref::ReinterpretCastOp::create(builder, loc, type, memory,
                                           OpFoldResult(offset), fold(sizes),
                                           fold(strides));
}
