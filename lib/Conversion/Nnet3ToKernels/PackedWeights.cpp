//===- PackedWeights.cpp - Layout of the packed weights -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PackedWeights.h"

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::nnet3;

SymbolRefAttr mlir::nnet3::getComponentPath(Operation *component) {
  SmallVector<FlatSymbolRefAttr> names;
  for (; !isa<NetworkOp>(component); component = component->getParentOp())
    names.push_back(
        FlatSymbolRefAttr::get(SymbolTable::getSymbolName(component)));
  std::reverse(names.begin(), names.end());
  return SymbolRefAttr::get(SymbolTable::getSymbolName(component), names);
}

int64_t PackedWeights::getPlace(ComponentOpInterface component, StringRef part,
                                int64_t number, int64_t floats,
                                SymbolRefAttr folded,
                                ArrayRef<NamedAttribute> further) {
  SymbolRefAttr symbol = getComponentPath(component);
  std::string key;
  llvm::raw_string_ostream os(key);
  os << symbol << '\0' << part << '\0' << number << '\0';
  if (folded)
    os << folded;
  for (NamedAttribute attribute : further)
    os << '\0' << attribute.getValue();
  auto [place, isNew] = places.try_emplace(key, size);
  if (isNew) {
    Builder builder(component->getContext());
    SmallVector<NamedAttribute> entry = {
        builder.getNamedAttr("component", symbol),
        builder.getNamedAttr("number", builder.getI64IntegerAttr(number)),
        builder.getNamedAttr("part", builder.getStringAttr(part)),
        builder.getNamedAttr("place", builder.getI64IntegerAttr(size))};
    if (folded)
      entry.push_back(builder.getNamedAttr("folded", folded));
    entry.append(further.begin(), further.end());
    layout.push_back(builder.getDictionaryAttr(entry));
    size += llvm::alignTo(floats, 16);
  }
  return place->second;
}

static AffineKernelInterface getAffine(ComponentOpInterface component) {
  return cast<AffineKernelInterface>(component.getOperation());
}

static NamedAttribute getColumns(MLIRContext *context,
                                 ArrayRef<ColumnRange> ranges) {
  SmallVector<int64_t> numbers;
  for (ColumnRange range : ranges)
    numbers.append({range.first, range.count});
  return {StringAttr::get(context, "columns"),
          DenseI64ArrayAttr::get(context, numbers)};
}

int64_t PackedWeights::getPanels(ComponentOpInterface component,
                                 SymbolRefAttr folded,
                                 const WeightFormat &format) {
  MLIRContext *context = component->getContext();
  const int64_t columns = getAffine(component).getWeightRows();
  const int64_t depth = format.getWords();
  const int64_t width =
      GemmTile::get(target, columns, depth).getPanelWidth(target);
  SmallVector<NamedAttribute> further;
  if (format.precision != Precision::F32) {
    further.push_back(getColumns(context, format.stretches));
    further.push_back(
        {StringAttr::get(context, "precision"),
         StringAttr::get(context, getPrecisionName(format.precision))});
  }
  return getPlace(component, "panels", width,
                  llvm::alignTo(columns, width) * depth, folded, further);
}

int64_t PackedWeights::getScales(ComponentOpInterface component,
                                 SymbolRefAttr folded) {
  return getPlace(component, "scales", 0,
                  getPadded(getAffine(component).getWeightRows()), folded);
}

int64_t PackedWeights::getSums(ComponentOpInterface component,
                               SymbolRefAttr folded,
                               ArrayRef<ColumnRange> used) {
  return getPlace(component, "sums", 0,
                  getPadded(getAffine(component).getWeightRows()), folded,
                  getColumns(component->getContext(), used));
}

/// These are panels of one output.
int64_t PackedWeights::getMatrix(ComponentOpInterface component,
                                 SymbolRefAttr folded) {
  AffineKernelInterface affine = getAffine(component);
  return getPlace(component, "panels", /*number=*/1,
                  affine.getWeightRows() * affine.getWeightColumns(), folded);
}

int64_t PackedWeights::getMatrix(ComponentOpInterface component,
                                 SymbolRefAttr folded, Precision precision) {
  if (!hasHalves(precision))
    return getMatrix(component, folded);
  MLIRContext *context = component->getContext();
  AffineKernelInterface affine = getAffine(component);
  const int64_t columns = affine.getWeightColumns();
  const WeightFormat format = {precision, {{0, columns}}};
  return getPlace(component, "panels", /*number=*/1,
                  affine.getWeightRows() * format.getWords(), folded,
                  {getColumns(context, format.stretches),
                   {StringAttr::get(context, "precision"),
                    StringAttr::get(context, getPrecisionName(precision))}});
}

int64_t PackedWeights::getBias(ComponentOpInterface component,
                               SymbolRefAttr folded) {
  return getPlace(component, "bias", 0,
                  getPadded(getAffine(component).getNumBiases()), folded);
}

int64_t PackedWeights::getParameter(ComponentOpInterface component,
                                    StringRef name, int64_t size) {
  Builder builder(component->getContext());
  return getPlace(component, "parameter", 0, size, /*folded=*/{},
                  builder.getNamedAttr("name", builder.getStringAttr(name)));
}

int64_t PackedWeights::getVector(ComponentOpInterface component,
                                 unsigned number) {
  auto blocks = dyn_cast<BlockKernelInterface>(component.getOperation());
  return getPlace(component, "vector", number,
                  getPadded(blocks ? blocks.getBlockColumns()
                                   : component.getComponentOutputDim()));
}

ArrayAttr PackedWeights::getLayout(MLIRContext *context) const {
  return ArrayAttr::get(context, layout);
}
