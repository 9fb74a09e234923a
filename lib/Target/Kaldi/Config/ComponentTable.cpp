//===- ComponentTable.cpp - Config keys of component types ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ComponentTable.h"

#include "llvm/ADT/STLExtras.h"

namespace mlir::nnet3 {

#include "nnet3/Dialect/Nnet3/IR/config-keys.inc"

const ConfigKey *ComponentConfig::getFileKey() const {
  const ConfigKey *key = llvm::find_if(
      keys, [](const ConfigKey &key) { return key.kind == KeyKind::File; });
  return key == keys.end() ? nullptr : key;
}

llvm::ArrayRef<ComponentConfig> getComponentConfigs() { return kComponents; }

const ComponentConfig *findComponentConfig(llvm::StringRef type) {
  for (const ComponentConfig &config : kComponents)
    if (config.type == type)
      return &config;
  return nullptr;
}

} // namespace mlir::nnet3
