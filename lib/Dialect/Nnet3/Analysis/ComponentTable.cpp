//===- ComponentTable.cpp - Properties of commands' components ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/ComponentTable.h"

using namespace mlir;
using namespace mlir::nnet3;

const ComponentTable::Entry &ComponentTable::get(SymbolRefAttr name) {
  auto [it, inserted] = entries.try_emplace(name);
  if (inserted) {
    it->second.component =
        symbols.lookupNearestSymbolFrom<ComponentOpInterface>(
            computation->getParentOp(), name);
    if (it->second.component)
      it->second.properties = it->second.component.getComponentProperties();
  }
  return it->second;
}

ComponentOpInterface ComponentTable::find(SymbolRefAttr name) {
  return get(name).component;
}

ComponentProperties ComponentTable::getProperties(SymbolRefAttr name) {
  return get(name).properties;
}
