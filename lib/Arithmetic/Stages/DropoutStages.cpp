//===- DropoutStages.cpp - Random numbers for each row --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers are equal to those of the runtime's kernels for the same seed.
//
//===----------------------------------------------------------------------===//

#include "StageModels.h"

#include "nnet3/Arithmetic/BackwardInterface.h"
#include "nnet3/Arithmetic/RowEmission.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {

/// A component that draws random numbers in its forward pass, which then is one
/// phase. `Model` has emitRow(Operation *, StageEmission &, const StagedCommand
/// &, Value row).
template <typename Model, typename OpTy>
struct DrawnRows : public StagedKernelInterface::ExternalModel<Model, OpTy> {
  bool hasStages(Operation *op, bool isBackward) const {
    auto component = cast<OpTy>(op);
    return !isBackward && !component.getTestMode() &&
           !component.getDropoutProportion().isZero();
  }
  bool drawsNumbers(Operation *) const { return true; }
  SmallVector<KernelStage> getStages(Operation *op,
                                     const StagedCommand &command) const {
    const int64_t dim = cast<ComponentOpInterface>(op).getComponentOutputDim();
    return {{command.outputRows, StageEmission::getDrawingThreads(dim)}};
  }
  void emitStage(Operation *op, StageEmission &stage,
                 const StagedCommand &command, unsigned, Value row) const {
    stage.setRow(row);
    static_cast<const Model *>(this)->emitRow(op, stage, command, row);
  }
};

/// Spec: components.md 6.22.
struct DropoutStages : public DrawnRows<DropoutStages, DropoutOp> {
  void emitRow(Operation *op, StageEmission &stage, const StagedCommand &,
               Value row) const {
    auto dropout = cast<DropoutOp>(op);
    const int64_t dim = dropout.getDim();
    Value proportion =
        stage.number(dropout.getDropoutProportion().convertToFloat());
    auto store = [&](Value c, Value drawn) {
      stage.store(stage.selectGreater(drawn, proportion, stage.load(c),
                                      stage.number(0)),
                  c);
    };
    if (!dropout.getDropoutPerFrame())
      return stage.forEachDrawn(dim, stage.at(row, dim, stage.index(0)), store);
    Value drawn = stage.draw(row);
    stage.forEach(dim, [&](Value c) { store(c, drawn); });
  }
};

/// dx = dy y / x, or dy if x = 0. y tells whether an element was dropped (spec:
/// components.md 6.22).
struct DropoutBackward
    : public BackwardKernelInterface::ExternalModel<DropoutBackward,
                                                    DropoutOp> {
  void emitBackwardRow(Operation *op, RowEmission &row) const {
    row.forEach(cast<DropoutOp>(op).getDim(), [&](Value c) {
      Value x = row.load(c), dy = row.loadDerivative(c);
      Value scaled = row.multiply(dy, row.divide(row.loadOutput(c), x));
      row.store(row.select(row.isNumber(x, row.number(0)), dy, scaled), c);
    });
  }
};

/// Spec: components.md 6.21.
struct DropoutMaskStages : public DrawnRows<DropoutMaskStages, DropoutMaskOp> {
  void emitRow(Operation *op, StageEmission &stage,
               const StagedCommand &command, Value row) const {
    auto mask = cast<DropoutMaskOp>(op);
    const int64_t dim = mask.getOutputDim();
    const float p = mask.getDropoutProportion().convertToFloat();
    Value zero = stage.number(0), one = stage.number(1);
    // If the first two columns are gates of an LSTM, they share one random
    // number.
    const bool coupled = !mask.getContinuous() && (dim == 2 || dim == 3);
    auto store = [&](Value c, Value drawn) {
      if (mask.getContinuous())
        return stage.store(
            stage.add(stage.number(1 - 2 * p),
                      stage.multiply(stage.number(4 * p), drawn)),
            c);
      Value kept = stage.selectGreater(drawn, stage.number(p), one, zero);
      if (coupled) {
        Value ofGates = stage.draw(stage.shift(row, command.outputRows * dim));
        Value first = stage.selectGreater(ofGates, stage.number(p), one, zero);
        Value second =
            stage.selectGreater(stage.number(1 - p), ofGates, one, zero);
        kept = stage.select(stage.isEqual(c, stage.index(0)), first, kept);
        kept = stage.select(stage.isEqual(c, stage.index(1)), second, kept);
      }
      stage.store(kept, c);
    };
    stage.forEachDrawn(dim, stage.at(row, dim, stage.index(0)), store);
  }
};

} // namespace

void mlir::nnet3::attachDropoutStages(MLIRContext &context) {
  DropoutOp::attachInterface<DropoutStages, DropoutBackward>(context);
  DropoutMaskOp::attachInterface<DropoutMaskStages>(context);
}
