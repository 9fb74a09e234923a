//===- PrecomputedTimes.cpp - Times of precomputed data -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/IR/PrecomputedTimes.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::nnet3;

std::optional<int64_t> mlir::nnet3::getFirstTime(DictionaryAttr precomputed) {
  auto first =
      precomputed ? precomputed.getAs<IntegerAttr>(kFirstTime) : IntegerAttr();
  return first ? std::optional(first.getInt()) : std::nullopt;
}

DictionaryAttr mlir::nnet3::withFirstTime(DictionaryAttr precomputed,
                                          int64_t firstTime) {
  NamedAttrList entries(precomputed);
  Builder builder(precomputed.getContext());
  entries.set(kFirstTime, builder.getI64IntegerAttr(firstTime));
  return entries.getDictionary(precomputed.getContext());
}
