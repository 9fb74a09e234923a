//===- RemoveNoOps.cpp - Remove no_operation commands ---------------------===//

#include "nnet3/Optimize/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3REMOVENOOPS
#include "nnet3/Optimize/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {
struct RemoveNoOps : public nnet3::impl::Nnet3RemoveNoOpsBase<RemoveNoOps> {
  void runOnOperation() override {
    if (getOperation().getBody().getOps<NoOperationOp>().empty())
      markAllAnalysesPreserved();
    for (auto op : llvm::make_early_inc_range(
             getOperation().getBody().getOps<NoOperationOp>())) {
      op.erase();
      ++numRemoved;
    }
  }
};
} // namespace
