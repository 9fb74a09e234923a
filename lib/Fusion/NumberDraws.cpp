//===- NumberDraws.cpp - Say which numbers random components draw ---------===//

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
  void runOnOperation() override {
    ComponentTable components(getOperation());
    Builder builder(&getContext());
    int64_t numPropagates = 0;
    for (auto op : getOperation().getBody().getOps<PropagateOp>()) {
      if (has(components.getProperties(op.getComponent()),
              ComponentProperties::Random)) {
        op->setAttr(kDrawAttr, builder.getI64IntegerAttr(numPropagates));
        ++numDraws;
      }
      ++numPropagates;
    }
    markAllAnalysesPreserved();
  }

private:
  PassCount numDraws{"draws numbered"};
};
} // namespace
