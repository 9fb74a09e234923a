//===- ComponentTable.h - Properties of commands' components ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_ANALYSIS_COMPONENTTABLE_H
#define NNET3_DIALECT_NNET3_ANALYSIS_COMPONENTTABLE_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentProperties.h"

#include "llvm/ADT/DenseMap.h"

namespace mlir::nnet3 {

/// Caches the components that the commands of a computation name.
class ComponentTable {
public:
  explicit ComponentTable(ComputationOp computation)
      : computation(computation) {}

  /// The component called `name`; null if there is none.
  ComponentOpInterface find(SymbolRefAttr name);
  /// The properties of component `name`; none if it does not exist.
  ComponentProperties getProperties(SymbolRefAttr name);

private:
  struct Entry {
    ComponentOpInterface component;
    ComponentProperties properties = ComponentProperties::None;
  };
  const Entry &get(SymbolRefAttr name);

  ComputationOp computation;
  SymbolTableCollection symbols;
  DenseMap<Attribute, Entry> entries;
};

} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_ANALYSIS_COMPONENTTABLE_H
