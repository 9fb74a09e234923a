//===- RecurrentComponents.cpp - Recurrent layers -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Components.h"

#include "nnet3/Dialect/Nnet3/IR/PrecomputedTimes.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Boundaries repeat, so times are taken modulo their distance.
DictionaryAttr BackpropTruncationOp::precomputeIndexes(const IndexRows &,
                                                       const IndexRows &outputs,
                                                       bool needBackprop) {
  if (!needBackprop)
    return {};
  SmallVector<int64_t> times =
      llvm::map_to_vector(outputs.expand(), [](const Index &index) {
        return int64_t(index.t) - index.n;
      });
  const int64_t interval = getZeroingInterval();
  int64_t first = *llvm::min_element(times);
  SmallVector<RowRef> rows = llvm::map_to_vector(times, [&](int64_t time) {
    return RowRef{0, (time - first) % interval};
  });
  if (!llvm::isInt<32>(first))
    first %= interval;
  Builder builder(getContext());
  return builder.getDictionaryAttr(
      {builder.getNamedAttr(kFirstTime, builder.getI64IntegerAttr(first)),
       builder.getNamedAttr(kTimes, RowTableAttr::get(getContext(), rows))});
}

#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/Components/RecurrentComponentOps.cpp.inc"
