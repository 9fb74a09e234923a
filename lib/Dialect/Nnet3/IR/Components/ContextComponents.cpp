//===- ContextComponents.cpp - Components that read other rows ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Components.h"
#include "nnet3/Dialect/Nnet3/IR/RowTableAlgebra.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::detail;

//===----------------------------------------------------------------------===//
// DistributeComponent
//===----------------------------------------------------------------------===//

/// Returns the input row that contains `output` as one of `numBlocks` blocks.
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

/// Returns for each output row the input row and the number of the block.
DictionaryAttr DistributeOp::precomputeIndexes(const IndexRows &inputs,
                                               const IndexRows &outputs, bool) {
  int64_t numBlocks = getInputDim() / getOutputDim();
  DenseMap<Index, int64_t> entryOf;
  for (auto [entry, index] : llvm::enumerate(inputs.rows))
    entryOf[index] = entry;
  SmallVector<RowRef> rows, blocks;
  for (const Index &output : outputs.rows) {
    Index input = getSource(output, numBlocks);
    rows.push_back({0, inputs.rowOf(entryOf.lookup(input))});
    blocks.push_back({0, output.x - int64_t(input.x) * numBlocks});
  }
  auto getTable = [&](ArrayRef<RowRef> entries, int64_t stride) {
    row_table::Code code = row_table::encodeRepeated(
        entries, outputs.block, outputs.numSequences(), stride);
    return RowTableAttr::get(getContext(), ArrayRef<int64_t>(code));
  };
  Builder builder(getContext());
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("blocks", getTable(blocks, 0)),
       builder.getNamedAttr("rows", getTable(rows, inputs.block))});
}

#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/Components/ContextComponentOps.cpp.inc"
