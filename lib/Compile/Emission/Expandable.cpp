//===- Expandable.cpp - Attributes for adding sequences -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emission.h"

using namespace mlir;
using namespace mlir::nnet3;

void Emission::attachStride(Operation *definition, size_t s) {
  if (!options.expandable)
    return;
  const IndexRows &rows = steps[s].rows;
  std::optional<IndexRows> folded = rows;
  if (!rows.isFolded())
    folded = foldRows(rows.rows);
  if (folded && folded->numSequences() > 1)
    definition->setAttr(kSequenceStrideAttr,
                        builder.getI64IntegerAttr(folded->block));
}

void Emission::attachRows(Operation *command, size_t s, bool needBackprop) {
  if (!options.expandable)
    return;
  auto indexes = [&](size_t step) {
    return IndexesAttr::get(builder.getContext(), steps[step].rows.expand());
  };
  NamedAttrList from;
  from.set(kInputIndexes, indexes(s - 1));
  from.set(kOutputIndexes, indexes(s));
  if (needBackprop)
    from.set(kNeedsBackprop, builder.getUnitAttr());
  command->setAttr(kPrecomputedFromAttr,
                   from.getDictionary(builder.getContext()));
}
