//===- Registry.h - The component types that there are ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CPU_REGISTRY_H
#define NNET3_RUNTIME_CPU_REGISTRY_H

#include "core/ComponentAttributes.h"

#include <memory>
#include <vector>

namespace nnet3 {
namespace rt {

/// How to make one type of component. Errors go to the reader; the result is
/// not used where there was one, and may then be null.
struct ComponentFactory {
  const char *type;
  std::unique_ptr<Component> (*create)(AttributeReader &attributes);
};

/// All types.
const std::vector<ComponentFactory> &componentFactories();

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_REGISTRY_H
