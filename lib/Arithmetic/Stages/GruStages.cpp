//===- GruStages.cpp - The backward passes of GRUs ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Forward/GruCell.h"
#include "StageModels.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {

/// In the scratch memory are the derivative of what goes into the tanh, its
/// product q with w_h, and r (.) s_prev, which is what w_h multiplies.
struct GruStages
    : public StagedKernelInterface::ExternalModel<GruStages,
                                                  GruNonlinearityOp> {
  /// Where these are, a row for each of the output.
  struct Scratch : GruLayout {
    Scratch(Operation *op, const StagedCommand &command)
        : GruLayout(op), deriv{0, cell},
          product{deriv.place + command.outputRows * cell, recurrent},
          gated{product.place + command.outputRows * recurrent, recurrent},
          end(gated.place + command.outputRows * recurrent) {}
    StageMatrix deriv, product, gated;
    int64_t end;
  };

  bool hasStages(Operation *, bool isBackward) const { return isBackward; }
  int64_t getStageScratchSize(Operation *op,
                              const StagedCommand &command) const {
    return command.isBackward ? Scratch(op, command).end : 0;
  }
  SmallVector<StagedGradient> getStagedGradients(Operation *op) const {
    const GruLayout at(op);
    return {{"w_h", at.cell, at.recurrent}};
  }
  SmallVector<KernelStage> getStages(Operation *op,
                                     const StagedCommand &command) const;
  void emitStage(Operation *op, StageEmission &stage,
                 const StagedCommand &command, unsigned number,
                 Value row) const;

private:
  void emitFactors(const Scratch &at, StageEmission &stage, Value row) const;
  void emitInput(const Scratch &at, StageEmission &stage, Value row) const;
};

} // namespace

SmallVector<KernelStage>
GruStages::getStages(Operation *op, const StagedCommand &command) const {
  const Scratch at(op, command);
  const int64_t rows = command.outputRows;
  SmallVector<KernelStage> stages = {{rows, at.cell, {}}};
  if (command.updates) {
    StageProduct ofWeights = {at.cell,  at.recurrent,      rows,
                              at.deriv, {0, at.recurrent}, at.gated};
    stages.push_back({0, 1, ofWeights});
  }
  if (command.hasInputDerivative) {
    StageProduct ofGated = {rows,     at.recurrent, at.cell,
                            at.deriv, at.product,   std::nullopt};
    stages.push_back({0, 1, ofGated});
    stages.push_back({rows, at.cell, {}});
  }
  return stages;
}

void GruStages::emitStage(Operation *op, StageEmission &stage,
                          const StagedCommand &command, unsigned number,
                          Value row) const {
  const Scratch at(op, command);
  stage.setRow(row);
  if (number == 0)
    emitFactors(at, stage, row);
  else
    emitInput(at, stage, row);
}

void GruStages::emitFactors(const Scratch &at, StageEmission &stage,
                            Value row) const {
  stage.forEach(at.cell, [&](Value c) {
    Value dh = GruCell::load(stage, c, at.cPrev)
                   .differentiateCandidate(
                       stage.loadDerivative(c),
                       stage.loadDerivative(stage.shift(c, at.cell)),
                       stage.loadRepair(c));
    stage.storeScratch(dh, stage.at(row, at.cell, c));
  });
  stage.forEach(at.recurrent, [&](Value c) {
    Value gated = stage.multiply(stage.load(stage.shift(c, at.r)),
                                 stage.load(stage.shift(c, at.sPrev)));
    stage.storeScratch(
        gated, stage.shift(stage.at(row, at.recurrent, c), at.gated.place));
  });
}

/// All of it is added: c_prev and s_prev may be the same columns.
void GruStages::emitInput(const Scratch &at, StageEmission &stage,
                          Value row) const {
  stage.forEach(at.cell, [&](Value c) {
    auto [dz, dPrevious] =
        GruCell::load(stage, c, at.cPrev)
            .differentiateGate(stage.loadDerivative(stage.shift(c, at.cell)));
    stage.store(dz, c);
    stage.store(dPrevious, stage.shift(c, at.cPrev));
    stage.store(stage.loadScratch(stage.at(row, at.cell, c)),
                stage.shift(c, at.hpart));
  });
  stage.forEach(at.recurrent, [&](Value c) {
    Value q = stage.loadScratch(
        stage.shift(stage.at(row, at.recurrent, c), at.product.place));
    Value r = stage.load(stage.shift(c, at.r));
    Value state = stage.load(stage.shift(c, at.sPrev));
    stage.store(stage.multiply(q, state), stage.shift(c, at.r));
    stage.store(stage.multiply(q, r), stage.shift(c, at.sPrev));
  });
}

void mlir::nnet3::attachGruStages(MLIRContext &context) {
  GruNonlinearityOp::attachInterface<GruStages>(context);
}
