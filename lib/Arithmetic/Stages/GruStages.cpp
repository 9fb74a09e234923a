//===- GruStages.cpp - The backward passes of GRUs ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Forward/GruLayout.h"
#include "StageModels.h"

#include "nnet3/Arithmetic/BackwardInterface.h"

using namespace mlir;
using namespace mlir::nnet3;

/// The derivative of what goes into the tanh, from those of h and c = (1 - z) h
/// + z c_prev: dh = (dy_h + dc (1 - z)) (1 - h^2), less what self-repair takes.
static Value emitCandidate(BackwardEmission &row, Value c, int64_t cell) {
  Value one = row.number(1);
  Value z = row.loadInput(c), h = row.loadOutput(c);
  Value dc = row.loadDerivative(row.shift(c, cell));
  Value both =
      row.add(row.loadDerivative(c), row.multiply(dc, row.subtract(one, z)));
  Value dh = row.multiply(both, row.subtract(one, row.multiply(h, h)));
  return row.subtract(dh, row.multiply(row.loadRepair(c), h));
}

/// The derivatives of z and of c_prev, as c is of them.
static std::pair<Value, Value> emitGate(BackwardEmission &row, Value c,
                                        int64_t cell, int64_t cPrev) {
  Value dc = row.loadDerivative(row.shift(c, cell));
  Value difference =
      row.subtract(row.loadInput(row.shift(c, cPrev)), row.loadOutput(c));
  return {row.multiply(dc, difference), row.multiply(dc, row.loadInput(c))};
}

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

/// (spec: components.md 6.24)
struct OutputGruModel
    : public BackwardKernelInterface::ExternalModel<OutputGruModel,
                                                    OutputGruNonlinearityOp> {
  static int64_t getCell(Operation *op) {
    return cast<OutputGruNonlinearityOp>(op).getCellDim();
  }
  unsigned getNumBackwardVectors(Operation *) const { return 1; }
  void emitBackwardRow(Operation *op, BackwardEmission &row) const {
    const int64_t cell = getCell(op);
    row.forEach(cell, [&](Value c) {
      Value dh = emitCandidate(row, c, cell);
      auto [dz, dPrevious] = emitGate(row, c, cell, 2 * cell);
      row.store(dz, c);
      row.store(dh, row.shift(c, cell));
      row.store(row.add(dPrevious, row.multiply(dh, row.loadVector(0, c))),
                row.shift(c, 2 * cell));
    });
  }
  SmallVector<StringRef> getSums(Operation *) const { return {"w_h"}; }
  int64_t getSumColumns(Operation *op, unsigned) const { return getCell(op); }
  Value emitSum(Operation *op, BackwardEmission &row, unsigned, Value c) const {
    const int64_t cell = getCell(op);
    return row.multiply(row.loadInput(row.shift(c, 2 * cell)),
                        emitCandidate(row, c, cell));
  }
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
    stage.storeScratch(emitCandidate(stage, c, at.cell),
                       stage.at(row, at.cell, c));
  });
  stage.forEach(at.recurrent, [&](Value c) {
    Value gated = stage.multiply(stage.loadInput(stage.shift(c, at.r)),
                                 stage.loadInput(stage.shift(c, at.sPrev)));
    stage.storeScratch(
        gated, stage.shift(stage.at(row, at.recurrent, c), at.gated.place));
  });
}

/// All of it is added: c_prev and s_prev may be the same columns.
void GruStages::emitInput(const Scratch &at, StageEmission &stage,
                          Value row) const {
  stage.forEach(at.cell, [&](Value c) {
    auto [dz, dPrevious] = emitGate(stage, c, at.cell, at.cPrev);
    stage.store(dz, c);
    stage.store(dPrevious, stage.shift(c, at.cPrev));
    stage.store(stage.loadScratch(stage.at(row, at.cell, c)),
                stage.shift(c, at.hpart));
  });
  stage.forEach(at.recurrent, [&](Value c) {
    Value q = stage.loadScratch(
        stage.shift(stage.at(row, at.recurrent, c), at.product.place));
    Value r = stage.loadInput(stage.shift(c, at.r));
    Value state = stage.loadInput(stage.shift(c, at.sPrev));
    stage.store(stage.multiply(q, state), stage.shift(c, at.r));
    stage.store(stage.multiply(q, r), stage.shift(c, at.sPrev));
  });
}

void mlir::nnet3::attachGruStages(MLIRContext &context) {
  GruNonlinearityOp::attachInterface<GruStages>(context);
  OutputGruNonlinearityOp::attachInterface<OutputGruModel>(context);
}
