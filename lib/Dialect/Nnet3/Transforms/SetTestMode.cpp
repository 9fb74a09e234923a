//===- SetTestMode.cpp - Put components in test mode ----------------------===//

#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/Transforms/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3SETTESTMODE
#include "nnet3/Dialect/Nnet3/Transforms/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {
struct SetTestMode : public nnet3::impl::Nnet3SetTestModeBase<SetTestMode> {
  void runOnOperation() override {
    auto testMode = StringAttr::get(&getContext(), "test_mode");
    auto on = BoolAttr::get(&getContext(), true);
    for (Operation &op : getOperation().getBody().front()) {
      // Whether a component has a test mode is a matter of its ODS record.
      if (!llvm::is_contained(op.getName().getAttributeNames(), testMode) ||
          op.getAttr(testMode) == on)
        continue;
      op.setAttr(testMode, on);
      ++numComponents;
    }
  }

private:
  PassCount numComponents{"components put in test mode"};
};
} // namespace
