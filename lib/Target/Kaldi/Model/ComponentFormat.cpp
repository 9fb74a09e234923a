//===- ComponentFormat.cpp - Token tables of components -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ComponentFormat.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir::nnet3;
using llvm::ArrayRef;
using llvm::StringRef;

ArrayRef<int64_t> ComponentAttributes::getShape(StringRef name) const {
  auto tensor = llvm::dyn_cast_or_null<mlir::ElementsAttr>(list.get(name));
  return tensor ? tensor.getShapedType().getShape() : ArrayRef<int64_t>();
}

void ComponentAttributes::setInt(StringRef name, int64_t value) {
  list.set(name, builder.getI64IntegerAttr(value));
}

int64_t ComponentAttributes::getInt(StringRef name) const {
  auto value = llvm::dyn_cast_or_null<mlir::IntegerAttr>(list.get(name));
  return value ? value.getInt() : -1;
}

std::vector<TokenField> mlir::nnet3::updatable(std::vector<TokenField> fields,
                                               bool mayLackRate) {
  TokenField rate("<LearningRate>", TokenKind::Float, "learning_rate");
  std::vector<TokenField> all = {
      TokenField("<LearningRateFactor>", TokenKind::Float,
                 "learning_rate_factor")
          .unlessEqual(1),
      TokenField("<IsGradient>", TokenKind::Bool, "is_gradient").unlessEqual(0),
      TokenField("<MaxChange>", TokenKind::Float, "max_change").unlessEqual(0),
      TokenField("<L2Regularize>", TokenKind::Float, "l2_regularize")
          .unlessEqual(0),
      mayLackRate ? rate.orUnset() : rate,
  };
  llvm::append_range(all, fields);
  return all;
}

int64_t mlir::nnet3::getUnsetBlockDim(mlir::Operation *op, StringRef) {
  auto dim = op->getAttrOfType<mlir::IntegerAttr>("dim");
  if (!dim)
    dim = op->getAttrOfType<mlir::IntegerAttr>("input_dim");
  return dim.getInt();
}

void mlir::nnet3::dropFullBlockDim(ComponentAttributes &attributes) {
  int64_t dim = attributes.getInt("dim");
  if (dim < 0)
    dim = attributes.getInt("input_dim");
  if (attributes.getInt("block_dim") == dim)
    attributes.list.erase("block_dim");
}

const ComponentFormat *mlir::nnet3::lookupComponentFormat(StringRef kaldiType) {
  static const llvm::StringMap<const ComponentFormat *> formats = [] {
    llvm::StringMap<const ComponentFormat *> map;
    for (ArrayRef<ComponentFormat> group :
         {getAffineFormats(), getNonlinearFormats(), getElementwiseFormats(),
          getRecurrentFormats(), getRandomFormats(), getBlockFormats(),
          getConstantFormats(), getGruFormats(), getImageFormats(),
          getContextFormats()})
      for (const ComponentFormat &format : group)
        map[format.kaldiType] = &format;
    return map;
  }();
  return formats.lookup(kaldiType);
}
