//===- RowTimes.cpp - The rows of a matrix in a time range ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RowTimes.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
/// The times t of a matrix's rows: each of `times` in order for `block` rows,
/// and the whole sequence `rounds` times.
struct TimePattern {
  explicit TimePattern(IndexesAttr indexes);

  SmallVector<int32_t> times;
  int64_t block = 1;
  int64_t rounds = 1;
};
} // namespace

TimePattern::TimePattern(IndexesAttr indexes) {
  if (indexes.isExplicit()) {
    for (size_t i = 1; i < indexes.getList().size(); i += 3)
      times.push_back(indexes.getList()[i]);
    return;
  }
  times.assign(indexes.getT().begin(), indexes.getT().end());
  block = indexes.getX().size();
  if (indexes.getOrder() == RowOrder::NT)
    rounds = indexes.getN().size();
  else
    block *= indexes.getN().size();
}

RowTimes::RowTimes(IndexesAttr indexes, int32_t min, int32_t max) {
  TimePattern pattern(indexes);
  llvm::BitVector frames(pattern.times.size());
  bool isOutside = false;
  for (auto [i, t] : llvm::enumerate(pattern.times)) {
    frames[i] = t != kNoTime && t >= min && t <= max;
    isOutside |= t != kNoTime && !frames[i];
  }
  if (!isOutside) {
    end = indexes.size();
    return;
  }
  mask = RowMask(frames, pattern.block);
  if (frames.none())
    return;
  int64_t round = int64_t(frames.size()) * pattern.block;
  begin = frames.find_first() * pattern.block;
  end = (pattern.rounds - 1) * round + (frames.find_last() + 1) * pattern.block;
  isContiguous =
      int64_t(frames.count()) * pattern.block * pattern.rounds == end - begin;
}

int32_t mlir::nnet3::getLargestTime(IndexesAttr indexes) {
  TimePattern pattern(indexes);
  return *llvm::max_element(pattern.times);
}

IndexesAttr mlir::nnet3::sliceIndexes(IndexesAttr indexes, int64_t begin,
                                      int64_t count) {
  MLIRContext *context = indexes.getContext();
  TimePattern pattern(indexes);
  if (!indexes.isExplicit() && pattern.rounds == 1 &&
      begin % pattern.block == 0 && count % pattern.block == 0)
    return IndexesAttr::get(
        context, indexes.getN(),
        indexes.getT().slice(begin / pattern.block, count / pattern.block),
        indexes.getX(), indexes.getOrder(), ArrayRef<int32_t>());
  SmallVector<Index> rows = indexes.expand();
  return IndexesAttr::get(context, ArrayRef<Index>(rows).slice(begin, count));
}
