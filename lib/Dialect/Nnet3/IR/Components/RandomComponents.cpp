//===- RandomComponents.cpp - Dropout and related components --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Components.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::detail;

//===----------------------------------------------------------------------===//
// GeneralDropoutComponent
//===----------------------------------------------------------------------===//

LogicalResult GeneralDropoutOp::verifyConfiguration() {
  if (getContinuous() && getSpecaugmentMaxProportion().isNonZero())
    return emitOpError("cannot be continuous and have a "
                       "specaugment_max_proportion");
  return verifyLimits(*this);
}

/// Assigns one mask to each sequence, or to each period of a sequence, numbered
/// by first appearance.
DictionaryAttr GeneralDropoutOp::precomputeIndexes(const IndexRows &,
                                                   const IndexRows &outputs,
                                                   bool) {
  int64_t period = getTimePeriod();
  std::map<std::pair<int32_t, int64_t>, int64_t> maskRows;
  SmallVector<RowRef> rows;
  for (const Index &index : outputs.expand()) {
    int64_t block = 0;
    if (period > 0)
      block = int64_t(index.t) / period -
              (index.t < 0 && int64_t(index.t) % period != 0);
    auto [entry, inserted] =
        maskRows.try_emplace({index.n, block}, maskRows.size());
    rows.push_back({0, entry->second});
  }
  Builder builder(getContext());
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("indexes", RowTableAttr::get(getContext(), rows)),
       builder.getNamedAttr("num_mask_rows",
                            builder.getI64IntegerAttr(maskRows.size()))});
}

//===----------------------------------------------------------------------===//
// SpecAugmentTimeMaskComponent
//===----------------------------------------------------------------------===//

/// Returns the rows of all sequences, one sequence after another and each in
/// order of time, and the number of rows of each sequence.
DictionaryAttr
SpecAugmentTimeMaskOp::precomputeIndexes(const IndexRows &,
                                         const IndexRows &outputs, bool) {
  std::map<int32_t, std::vector<std::pair<int32_t, int64_t>>> sequences;
  SmallVector<Index> all = outputs.expand();
  for (auto [row, index] : llvm::enumerate(all))
    sequences[index.n].push_back({index.t, int64_t(row)});
  SmallVector<RowRef> rows, lengths;
  for (auto &[n, frames] : sequences) {
    llvm::sort(frames);
    for (auto [t, row] : frames)
      rows.push_back({0, row});
    lengths.push_back({0, int64_t(frames.size())});
  }
  Builder builder(getContext());
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("lengths",
                            RowTableAttr::get(getContext(), lengths)),
       builder.getNamedAttr("rows", RowTableAttr::get(getContext(), rows))});
}

//===----------------------------------------------------------------------===//
// DropoutMaskComponent
//===----------------------------------------------------------------------===//

void DropoutMaskOp::getInputIndexes(Index, SmallVectorImpl<Index> &) {}
bool DropoutMaskOp::isComputable(Index, function_ref<bool(Index)>,
                                 SmallVectorImpl<Index> *) {
  return true;
}

#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/Components/RandomComponentOps.cpp.inc"
