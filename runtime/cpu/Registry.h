//===- Registry.h - The component types that there are ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each family of components lists its types in a table of its own; Registry.cpp
// joins the tables. Nothing else in the runtime knows the types.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CPU_REGISTRY_H
#define NNET3_RUNTIME_CPU_REGISTRY_H

#include "core/Component.h"

#include <cstddef>
#include <memory>

namespace nnet3 {
namespace rt {

/// How to make one type of component. Errors go to the reader; the result is
/// not used where there was one, and may then be null.
struct ComponentFactory {
  const char *type;
  std::unique_ptr<Component> (*create)(AttributeReader &attributes);
};

/// The types of one family; static storage.
struct FactoryTable {
  const ComponentFactory *begin;
  size_t size;
};

template <size_t N>
constexpr FactoryTable makeTable(const ComponentFactory (&table)[N]) {
  return {table, N};
}

FactoryTable affineFactories();
FactoryTable backpropTruncationFactories();
FactoryTable batchNormFactories();
FactoryTable blockAffineFactories();
FactoryTable clipGradientFactories();
FactoryTable compositeFactories();
FactoryTable constantFactories();
FactoryTable convolutionFactories();
FactoryTable distributeFactories();
FactoryTable dropoutFactories();
FactoryTable dropoutMaskFactories();
FactoryTable generalDropoutFactories();
FactoryTable gruFactories();
FactoryTable lstmFactories();
FactoryTable maxpoolingFactories();
FactoryTable noOpFactories();
FactoryTable nonlinearFactories();
FactoryTable normalizeFactories();
FactoryTable outputGruFactories();
FactoryTable perElementFactories();
FactoryTable pnormFactories();
FactoryTable rearrangeFactories();
FactoryTable restrictedAttentionFactories();
FactoryTable scaleAndOffsetFactories();
FactoryTable softmaxFactories();
FactoryTable specAugmentFactories();
FactoryTable statisticsFactories();
FactoryTable tdnnFactories();
FactoryTable timeHeightConvolutionFactories();

/// All of them.
std::vector<FactoryTable> componentFactories();

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_REGISTRY_H
