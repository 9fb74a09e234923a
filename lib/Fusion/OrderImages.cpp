//===- OrderImages.cpp - Images in the order of the weights ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkEdits.h"

#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Fusion/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3ORDERIMAGES
#include "nnet3/Fusion/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

static constexpr StringRef kChannelsFastest = "zyx";

/// Returns for each column of an image with z fastest its column in the image
/// with y fastest (spec: components.md 6.43).
static SmallVector<int64_t> getColumnMap(ConvolutionOp conv) {
  const int64_t width = conv.getInputXDim(), height = conv.getInputYDim(),
                channels = conv.getInputZDim();
  SmallVector<int64_t> map;
  for (int64_t x = 0; x < width; ++x)
    for (int64_t y = 0; y < height; ++y)
      for (int64_t z = 0; z < channels; ++z)
        map.push_back((x * channels + z) * height + y);
  return map;
}

static bool isWorthIt(ConvolutionOp conv) {
  return conv.getInputVectorizationOrder() != kChannelsFastest &&
         !cast<AffineKernelInterface>(conv.getOperation()).hasFewTerms();
}

namespace {
struct OrderImages : public nnet3::impl::Nnet3OrderImagesBase<OrderImages> {
  void runOnOperation() override {
    if (!isEditable(getOperation()))
      return;
    SymbolTable symbols(getOperation());
    for (auto conv : llvm::make_early_inc_range(
             getOperation().getBody().getOps<ConvolutionOp>()))
      if (isWorthIt(conv))
        order(conv, symbols);
  }

private:
  void order(ConvolutionOp conv, SymbolTable &symbols);
  void insertNode(ComponentNodeOp reader, PermuteOp permute);

  PassCount numOrdered{"convolutions"};
};
} // namespace

/// Inserts `permute` between `reader` and its input.
void OrderImages::insertNode(ComponentNodeOp reader, PermuteOp permute) {
  OpBuilder builder(reader);
  std::string name = (reader.getName() + ".pixels").str();
  auto isTaken = [&](ComponentNodeOp node) { return node.getName() == name; };
  while (
      llvm::any_of(getOperation().getBody().getOps<ComponentNodeOp>(), isTaken))
    name += "_";
  auto node = ComponentNodeOp::create(
      builder, reader.getLoc(), reader.getInput().getType(), name,
      SymbolTable::getSymbolName(permute).getValue(), reader.getInput());
  reader.getInputMutable().assign(node.getResult());
}

void OrderImages::order(ConvolutionOp conv, SymbolTable &symbols) {
  OpBuilder builder(conv);
  StringRef name = SymbolTable::getSymbolName(conv).getValue();
  auto permute =
      PermuteOp::create(builder, conv.getLoc(), (name + ".pixels").str(),
                        getColumnMap(conv), /*init=*/DictionaryAttr());
  symbols.insert(permute);
  for (auto node : getOperation().getBody().getOps<ComponentNodeOp>())
    if (node.getComponent() == name)
      insertNode(node, permute);
  conv.setInputVectorizationOrder(kChannelsFastest);
  ++numOrdered;
}
