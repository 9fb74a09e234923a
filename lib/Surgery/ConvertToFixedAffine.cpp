//===- ConvertToFixedAffine.cpp - Freeze affine components ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AffineComponents.h"
#include "NetworkEdits.h"
#include "nnet3/Surgery/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3CONVERTTOFIXEDAFFINE
#include "nnet3/Surgery/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

/// Replaces an affine component of either type.
static void convert(ComponentOpInterface component) {
  SmallVector<NamedAttribute> attributes;
  for (StringRef name :
       {"input_dim", "output_dim", "linear_params", "bias_params"})
    if (Attribute value = component->getAttr(name))
      attributes.emplace_back(StringAttr::get(component.getContext(), name),
                              value);
  OpBuilder builder(component);
  createFixedAffine(builder, component.getLoc(), getComponentName(component),
                    attributes);
  component->erase();
}

namespace {
struct ConvertToFixedAffine
    : public mlir::nnet3::impl::Nnet3ConvertToFixedAffineBase<
          ConvertToFixedAffine> {
  using Base::Base;
  void runOnOperation() override {
    for (auto component : findComponents(getOperation(), pattern))
      if (isAffine(component))
        convert(component);
  }
};
} // namespace
