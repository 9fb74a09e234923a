//===- DebugInfo.cpp - Which rows matrices hold ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Optimize/DebugInfo.h"
#include "nnet3/Dialect/Nnet3/IR/DebugInfo.h"
#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"

using namespace mlir;
using namespace mlir::nnet3;

void mlir::nnet3::extendDebugInfo(Operation *allocation, int64_t rows) {
  auto indexes = allocation->getAttrOfType<IndexesAttr>(kDebugIndexesAttr);
  if (!indexes)
    return;
  SmallVector<Index> list = indexes.expand();
  int64_t added = rows - int64_t(list.size());
  for (int64_t i = 0; i < added; ++i) {
    Index index = list[list.size() - std::min<size_t>(added, list.size())];
    index.t = kNoTime;
    list.push_back(index);
  }
  allocation->setAttr(kDebugIndexesAttr,
                      IndexesAttr::get(allocation->getContext(), list));
}
