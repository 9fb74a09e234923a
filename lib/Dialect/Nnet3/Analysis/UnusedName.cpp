//===- UnusedName.cpp - Names for new nodes and components ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/UnusedName.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::nnet3;

std::string mlir::nnet3::getUnusedName(NetworkOp network, std::string name) {
  llvm::StringSet<> names;
  for (Operation &op : network.getBody().front())
    for (StringRef attribute : {"name", "sym_name"})
      if (auto known = op.getAttrOfType<StringAttr>(attribute))
        names.insert(known.getValue());
  while (names.contains(name))
    name += "_";
  return name;
}
