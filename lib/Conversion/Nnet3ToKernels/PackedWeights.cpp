//===- PackedWeights.cpp - Layout of the packed weights -------------------===//

#include "PackedWeights.h"

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

using namespace mlir;
using namespace mlir::nnet3;

int64_t PackedWeights::getPlace(ComponentOpInterface component, StringRef part,
                                int64_t number, int64_t floats,
                                SymbolRefAttr folded) {
  StringAttr name = SymbolTable::getSymbolName(component);
  StringAttr network =
      SymbolTable::getSymbolName(component->getParentOfType<NetworkOp>());
  std::string key =
      (network.getValue() + Twine('\0') + name.getValue() + Twine('\0') + part +
       Twine('\0') + Twine(number) + Twine('\0') +
       (folded ? folded.getLeafReference().getValue() : ""))
          .str();
  auto [place, isNew] = places.try_emplace(key, size);
  if (isNew) {
    Builder builder(component->getContext());
    auto symbol = SymbolRefAttr::get(network, {FlatSymbolRefAttr::get(name)});
    SmallVector<NamedAttribute> entry = {
        builder.getNamedAttr("component", symbol),
        builder.getNamedAttr("number", builder.getI64IntegerAttr(number)),
        builder.getNamedAttr("part", builder.getStringAttr(part)),
        builder.getNamedAttr("place", builder.getI64IntegerAttr(size))};
    if (folded)
      entry.push_back(builder.getNamedAttr("folded", folded));
    layout.push_back(builder.getDictionaryAttr(entry));
    size += llvm::alignTo(floats, 16);
  }
  return place->second;
}

int64_t PackedWeights::getPanels(ComponentOpInterface component,
                                 SymbolRefAttr folded) {
  const int64_t columns = component.getComponentOutputDim();
  const int64_t depth =
      cast<AffineKernelInterface>(component.getOperation()).getWeightColumns();
  GemmTile tile = GemmTile::get(target, columns, depth);
  return getPlace(component, "panels", tile.getPanelWidth(target),
                  getPackedSize(columns, depth, target), folded);
}

/// These are panels of one output.
int64_t PackedWeights::getMatrix(ComponentOpInterface component,
                                 SymbolRefAttr folded) {
  const int64_t depth =
      cast<AffineKernelInterface>(component.getOperation()).getWeightColumns();
  return getPlace(component, "panels", /*number=*/1,
                  component.getComponentOutputDim() * depth, folded);
}

int64_t PackedWeights::getBias(ComponentOpInterface component,
                               SymbolRefAttr folded) {
  return getPlace(component, "bias", 0,
                  getPadded(component.getComponentOutputDim()), folded);
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
