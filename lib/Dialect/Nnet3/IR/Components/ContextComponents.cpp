//===- ContextComponents.cpp - Components that read other rows ------------===//

#include "Components.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::detail;
using P = ComponentProperties;

//===----------------------------------------------------------------------===//
// DistributeComponent
//===----------------------------------------------------------------------===//

int64_t DistributeOp::getComponentInputDim() { return getInputDim(); }
int64_t DistributeOp::getComponentOutputDim() { return getOutputDim(); }
P DistributeOp::getComponentProperties() { return P::None; }
LogicalResult DistributeOp::verifyConfiguration() {
  return verifyDivides(*this, "output_dim", getOutputDim(), "input_dim",
                       getInputDim());
}

/// The row that has `output` as one of its `numBlocks` blocks.
static Index getSource(const Index &output, int64_t numBlocks) {
  auto x = int32_t(llvm::divideFloorSigned(int64_t(output.x), numBlocks));
  return {output.n, output.t, x};
}

void DistributeOp::getInputIndexes(Index output,
                                   SmallVectorImpl<Index> &inputs) {
  inputs.push_back(getSource(output, getInputDim() / getOutputDim()));
}

bool DistributeOp::isComputable(Index output,
                                function_ref<bool(Index)> available,
                                SmallVectorImpl<Index> *used) {
  Index input = getSource(output, getInputDim() / getOutputDim());
  if (!available(input))
    return false;
  if (used)
    used->push_back(input);
  return true;
}

/// For each output row the input row and the block in it.
DictionaryAttr DistributeOp::precomputeIndexes(const IndexRows &inputs,
                                               const IndexRows &outputs, bool) {
  int64_t numBlocks = getInputDim() / getOutputDim();
  DenseMap<Index, int64_t> rowOf;
  SmallVector<Index> allInputs = inputs.expand();
  for (auto [row, index] : llvm::enumerate(allInputs))
    rowOf[index] = row;
  SmallVector<RowRef> rows, blocks;
  for (const Index &output : outputs.expand()) {
    Index input = getSource(output, numBlocks);
    rows.push_back({0, rowOf.lookup(input)});
    blocks.push_back({0, output.x - int64_t(input.x) * numBlocks});
  }
  Builder builder(getContext());
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("blocks", RowTableAttr::get(getContext(), blocks)),
       builder.getNamedAttr("rows", RowTableAttr::get(getContext(), rows))});
}

#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/ContextComponentOps.cpp.inc"
