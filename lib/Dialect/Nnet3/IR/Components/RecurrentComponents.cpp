//===- RecurrentComponents.cpp - Recurrent layers -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Components.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::nnet3;

static int64_t floorDiv(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

DictionaryAttr BackpropTruncationOp::precomputeIndexes(const IndexRows &,
                                                       const IndexRows &outputs,
                                                       bool needBackprop) {
  if (!needBackprop)
    return {};
  SmallVector<RowRef> zeroing;
  int64_t interval = getZeroingInterval();
  for (const Index &index : outputs.expand()) {
    int64_t t = int64_t(index.t) - index.n;
    bool boundary = floorDiv(t, interval) !=
                    floorDiv(t - int64_t(getRecurrenceInterval()), interval);
    zeroing.push_back(boundary ? RowRef::none() : RowRef{0, 0});
  }
  Builder builder(getContext());
  return builder.getDictionaryAttr(builder.getNamedAttr(
      "zeroing", RowTableAttr::get(getContext(), zeroing)));
}

#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/Components/RecurrentComponentOps.cpp.inc"
