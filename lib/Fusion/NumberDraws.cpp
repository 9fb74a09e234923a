//===- NumberDraws.cpp - Number the draws of random components ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/ComponentTable.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"
#include "nnet3/Fusion/Passes.h"

#include "mlir/IR/Builders.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3NUMBERDRAWS
#include "nnet3/Fusion/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {
struct NumberDraws : public nnet3::impl::Nnet3NumberDrawsBase<NumberDraws> {
  void runOnCommands() override {
    ComponentTable components(getOperation());
    auto has = [&](SymbolRefAttr component, ComponentProperties property) {
      return nnet3::has(components.getProperties(component), property);
    };
    int64_t numPropagates = 0, numStoreStats = 0, numBackprops = 0;
    for (Operation &command : getOperation().getBody().front()) {
      if (auto op = dyn_cast<PropagateOp>(command)) {
        if (has(op.getComponent(), ComponentProperties::Random))
          setDraw(op, numPropagates);
        ++numPropagates;
      } else if (auto op = dyn_cast<StoreStatsOp>(command)) {
        setDraw(op, numStoreStats++);
      } else if (auto op = dyn_cast<BackpropOp>(command)) {
        setDraw(op, numBackprops);
        numBackprops += !has(op.getComponent(), ComponentProperties::Updatable);
      }
    }
    markAllAnalysesPreserved();
  }

private:
  template <typename OpTy> void setDraw(OpTy op, int64_t number) {
    op.setDraw(number);
    ++numDraws;
  }

  PassCount numDraws{"draws numbered"};
};
} // namespace
