//===- Registry.h - The registry of component types -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CPU_REGISTRY_H
#define NNET3_RUNTIME_CPU_REGISTRY_H

#include "core/ComponentAttributes.h"

#include <memory>
#include <vector>

namespace nnet3 {
namespace rt {

/// Creates components of one type. Errors go to the reader; after an error the
/// result is not used and may be null.
struct ComponentFactory {
  const char *type;
  std::unique_ptr<Component> (*create)(AttributeReader &attributes);
};

/// All types.
const std::vector<ComponentFactory> &componentFactories();

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_REGISTRY_H
