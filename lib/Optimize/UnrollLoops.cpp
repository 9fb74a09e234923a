//===- UnrollLoops.cpp - Unroll loops -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Optimize/UnrollLoops.h"
#include "nnet3/Dialect/Nnet3/Analysis/MatrixWindow.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/IR/PrecomputedTimes.h"
#include "nnet3/Optimize/Passes.h"
#include "nnet3/Optimize/Views.h"

#include "mlir/IR/IRMapping.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3UNROLLLOOPS
#include "nnet3/Optimize/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

/// Creates the view that a moving view is in round `round`.
static Value createStill(OpBuilder &builder, MovingSubMatrixOp view,
                         const IRMapping &values, int64_t round) {
  MatrixWindow window = MatrixWindow::get(view, round);
  window.matrix = values.lookupOrDefault(window.matrix);
  return createView(builder, view.getLoc(), window);
}

/// Sets the time of the rows of a command in round `round`.
static void stopTime(BackpropOp op, int64_t round) {
  std::optional<int64_t> step = op.getTimeStep();
  if (!step)
    return;
  DictionaryAttr precomputed = op.getPrecomputedAttr();
  op.setPrecomputedAttr(
      withFirstTime(precomputed, *getFirstTime(precomputed) + *step * round));
  op.removeTimeStepAttr();
  op.getRoundMutable().clear();
}

static void unroll(LoopOp loop) {
  OpBuilder builder(loop);
  for (int64_t round = 0, count = loop.getCount(); round < count; ++round) {
    IRMapping values;
    for (Operation &op : loop.getBody().front()) {
      if (auto view = dyn_cast<MovingSubMatrixOp>(op)) {
        values.map(view.getResult(), createStill(builder, view, values, round));
        continue;
      }
      Operation *copy = builder.clone(op, values);
      if (auto backprop = dyn_cast<BackpropOp>(copy))
        stopTime(backprop, round);
    }
  }
  loop.erase();
}

int64_t mlir::nnet3::unrollLoops(ComputationOp computation) {
  auto loops = llvm::to_vector(computation.getBody().getOps<LoopOp>());
  for (LoopOp loop : loops)
    unroll(loop);
  if (!loops.empty())
    normalizeViews(computation);
  return loops.size();
}

namespace {
struct UnrollLoops : public nnet3::impl::Nnet3UnrollLoopsBase<UnrollLoops> {
  void runOnOperation() override {
    const int64_t count = unrollLoops(getOperation());
    if (count == 0)
      markAllAnalysesPreserved();
    numUnrolled += count;
  }

private:
  PassCount numUnrolled{"loops unrolled"};
};
} // namespace
