//===- RemoveOrphans.cpp - Remove orphan nodes and components -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkEdits.h"
#include "nnet3/Surgery/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3REMOVEORPHANS
#include "nnet3/Surgery/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {
struct RemoveOrphans
    : public mlir::nnet3::impl::Nnet3RemoveOrphansBase<RemoveOrphans> {
  using Base::Base;
  void runOnOperation() override {
    removeOrphanNodes(getOperation(), removesInputs);
    removeOrphanComponents(getOperation());
  }
};
} // namespace
