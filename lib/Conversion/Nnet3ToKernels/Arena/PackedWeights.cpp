//===- PackedWeights.cpp - Layout of the packed weights -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PackedWeights.h"

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

using namespace mlir;
using namespace mlir::nnet3;
using kernel::PackedPart;

SymbolRefAttr mlir::nnet3::getComponentPath(Operation *component) {
  SmallVector<FlatSymbolRefAttr> names;
  for (; !isa<NetworkOp>(component); component = component->getParentOp())
    names.push_back(
        FlatSymbolRefAttr::get(SymbolTable::getSymbolName(component)));
  std::reverse(names.begin(), names.end());
  return SymbolRefAttr::get(SymbolTable::getSymbolName(component), names);
}

int64_t PackedWeights::getPlace(ComponentOpInterface component, PackedPart part,
                                int64_t number, int64_t floats,
                                SymbolRefAttr folded,
                                const PackedDetail &detail) {
  SymbolRefAttr path = getComponentPath(component);
  auto make = [&](int64_t place) {
    return kernel::PackedAttr::get(component->getContext(), path, part, place,
                                   number, folded, detail.precision,
                                   detail.columns, detail.parameter,
                                   detail.planes, detail.error);
  };
  auto [place, isNew] = places.try_emplace(make(/*place=*/0), size);
  if (isNew) {
    layout.push_back(make(size));
    size += align(floats);
  }
  return place->second;
}

static AffineKernelInterface getAffine(ComponentOpInterface component) {
  return cast<AffineKernelInterface>(component.getOperation());
}

static DenseI64ArrayAttr getColumns(MLIRContext *context,
                                    ArrayRef<ColumnRange> ranges) {
  SmallVector<int64_t> numbers;
  for (ColumnRange range : ranges)
    numbers.append({range.first, range.count});
  return DenseI64ArrayAttr::get(context, numbers);
}

void PackedWeights::addRows(ComponentOpInterface component, int64_t rows) {
  int64_t &fewest = fewestRows.try_emplace(component, rows).first->second;
  fewest = std::min(fewest, rows);
}

GemmTile PackedWeights::getTile(ComponentOpInterface component,
                                const WeightFormat &format) const {
  return GemmTile::get(target, format.precision,
                       getAffine(component).getWeightRows(), format.getWords(),
                       fewestRows.lookup(component));
}

int64_t PackedWeights::getPanels(ComponentOpInterface component,
                                 SymbolRefAttr folded,
                                 const WeightFormat &format) {
  const int64_t columns = getAffine(component).getWeightRows();
  const int64_t depth = format.getWords();
  const int64_t width = getTile(component, format).getPanelWidth(target);
  PackedDetail detail;
  if (format.precision != Precision::F32)
    detail = {
        format.precision, getColumns(component->getContext(), format.slices),
        /*parameter=*/{}, target.hasPlanes(format.precision), format.error};
  return getPlace(component, PackedPart::Panels, width,
                  llvm::alignTo(columns, width) * depth, folded, detail);
}

int64_t PackedWeights::getScales(ComponentOpInterface component,
                                 SymbolRefAttr folded, Precision precision) {
  return getPlace(component, PackedPart::Scales, 0,
                  getPadded(getAffine(component).getWeightRows()), folded,
                  {precision});
}

int64_t PackedWeights::getSums(ComponentOpInterface component,
                               SymbolRefAttr folded, Precision precision,
                               ArrayRef<ColumnRange> used) {
  return getPlace(component, PackedPart::Sums, 0,
                  getPadded(getAffine(component).getWeightRows()), folded,
                  {precision, getColumns(component->getContext(), used)});
}

/// Stored as panels with a width of one output.
int64_t PackedWeights::getMatrix(ComponentOpInterface component,
                                 SymbolRefAttr folded) {
  AffineKernelInterface affine = getAffine(component);
  return getPlace(component, PackedPart::Panels, /*number=*/1,
                  affine.getWeightRows() * affine.getWeightColumns(), folded);
}

int64_t PackedWeights::getMatrix(ComponentOpInterface component,
                                 SymbolRefAttr folded, Precision precision) {
  if (!hasHalves(precision))
    return getMatrix(component, folded);
  AffineKernelInterface affine = getAffine(component);
  const int64_t columns = affine.getWeightColumns();
  const WeightFormat format = {precision, {{0, columns}}};
  return getPlace(
      component, PackedPart::Panels, /*number=*/1,
      affine.getWeightRows() * format.getWords(), folded,
      {precision, getColumns(component->getContext(), format.slices)});
}

int64_t PackedWeights::getBias(ComponentOpInterface component,
                               SymbolRefAttr folded) {
  return getPlace(component, PackedPart::Bias, 0,
                  getPadded(getAffine(component).getNumBiases()), folded);
}

int64_t PackedWeights::getParameter(ComponentOpInterface component,
                                    StringRef name, int64_t size) {
  return getPlace(component, PackedPart::Parameter, 0, size, /*folded=*/{},
                  {Precision::F32, /*columns=*/{},
                   StringAttr::get(component->getContext(), name)});
}

int64_t PackedWeights::getVector(ComponentOpInterface component,
                                 unsigned number) {
  auto blocks = dyn_cast<BlockKernelInterface>(component.getOperation());
  return getPlace(component, PackedPart::Vector, number,
                  getPadded(blocks ? blocks.getBlockColumns()
                                   : component.getComponentOutputDim()));
}

ArrayAttr PackedWeights::getLayout(MLIRContext *context) const {
  return ArrayAttr::get(context, layout);
}
