//===- RemoveOrphanComponents.cpp - Remove unused components --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkEdits.h"
#include "nnet3/Surgery/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3REMOVEORPHANCOMPONENTS
#include "nnet3/Surgery/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {
struct RemoveOrphanComponents
    : public mlir::nnet3::impl::Nnet3RemoveOrphanComponentsBase<
          RemoveOrphanComponents> {
  using Base::Base;
  void runOnOperation() override { removeOrphanComponents(getOperation()); }
};
} // namespace
