//===- BackwardEmitter.cpp - Commands of the backward pass ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Derivatives start at zero, and every consumer of a row adds to the derivative
// of that row (compile.md 8.4, 8.5, 9).
//
//===----------------------------------------------------------------------===//

#include "Emission.h"
#include "nnet3/Compile/RowRanges.h"
#include "nnet3/Compile/RowTableBuilder.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
class BackwardEmitter {
public:
  explicit BackwardEmitter(Emission &e) : e(e), builder(e.builder) {}

  void run();

private:
  void emitStep(size_t s);
  void emitElided(const StepRounds &rounds, const ElidedRounds &elided);
  void emitBackprop(size_t s);
  void emitUpdates(const StepRounds &rounds);
  void emitPart(size_t s, const DescriptorPart &part);
  void emitScatter(size_t s, const LocationVector &vector, Value deriv,
                   FloatAttr alpha);
  void emitSingle(size_t s, const GatheredRows &dests, Value deriv,
                  FloatAttr alpha);
  void emitRanges(size_t s, const GatheredRows &dests, Value deriv,
                  FloatAttr alpha);

  Emission &e;
  OpBuilder &builder;
};
} // namespace

void BackwardEmitter::run() {
  for (size_t s = e.steps.size(); s-- > 0;) {
    const StepRounds *rounds = e.getRounds(s);
    if (rounds)
      if (const ElidedRounds *elided = e.derivs.getElided(*rounds, s)) {
        emitElided(*rounds, *elided);
        s = rounds->getStep(elided->first);
        continue;
      }
    if (e.needed[s])
      emitStep(s);
    if (rounds && s == size_t(rounds->begin))
      emitUpdates(*rounds);
  }
}

void BackwardEmitter::emitStep(size_t s) {
  const Node &node = e.getNode(s);
  if (e.steps[s].isInput)
    return;
  if (node.kind == Node::Kind::Component)
    return emitBackprop(s);
  for (const DescriptorPart &part : node.parts)
    emitPart(s, part);
}

/// Emits the operation that stands for the backward pass of elided rounds.
void BackwardEmitter::emitElided(const StepRounds &rounds,
                                 const ElidedRounds &elided) {
  SmallVector<Value> read, written;
  for (int32_t s = rounds.begin; s < rounds.getStep(1); ++s)
    if (rounds.savedValues[rounds.getNumber(s)])
      read.push_back(e.getRows(e.values, e.getElidedRows(elided, s)));
  for (const auto &[rows, firstNew, countNew] : elided.added) {
    const int64_t endNew = firstNew + countNew;
    if (countNew > 0)
      written.push_back(e.getRows(e.derivs, {rows.step, firstNew, countNew}));
    for (const StepRows &known :
         {StepRows{rows.step, rows.first, firstNew - rows.first},
          StepRows{rows.step, endNew, rows.end() - endNew}})
      if (known.count > 0) {
        read.push_back(e.getRows(e.derivs, known));
        written.push_back(read.back());
      }
  }
  ElidedRoundsOp::create(builder, e.getLoc(rounds.begin), elided.count, read,
                         written);
}

void BackwardEmitter::emitBackprop(size_t s) {
  const Node &node = e.getNode(s);
  const StepRounds *rounds = e.getRounds(s);
  const bool update = e.options.derivatives.modelDerivative &&
                      has(node.properties, ComponentProperties::Updatable) &&
                      !(rounds && rounds->updated[rounds->getNumber(s)]);
  Value inputDeriv = e.getDeriv(s - 1);
  if (!update && !inputDeriv)
    return;
  Value input, output;
  if (has(node.properties, ComponentProperties::BackpropNeedsInput))
    input = e.getValue(s - 1);
  if (has(node.properties, ComponentProperties::BackpropNeedsOutput))
    output = e.getValue(s);
  ComponentOpInterface component = node.component;
  auto precomputed = component.precomputeIndexes(
      e.steps[s - 1].rows, e.steps[s].rows, /*needBackprop=*/true);
  auto backprop = BackpropOp::create(builder, e.getLoc(s), e.getComponent(s),
                                     input, output, e.getDeriv(s), inputDeriv,
                                     e.memos[s], precomputed, update,
                                     /*draw=*/IntegerAttr());
  if (precomputed)
    e.attachRows(backprop, s, /*needBackprop=*/true);
}

/// Emits the updates of components with the rows of all rounds: few large
/// matmuls instead of many small ones.
void BackwardEmitter::emitUpdates(const StepRounds &rounds) {
  for (int32_t s = rounds.getStep(1); s-- > rounds.begin;) {
    if (!rounds.updated[rounds.getNumber(s)])
      continue;
    const Node &node = e.getNode(s);
    auto getStack = [&](StepMatrices &its, int32_t step) {
      return e.getStack(its, step).matrix;
    };
    Value input, output;
    if (has(node.properties, ComponentProperties::BackpropNeedsInput))
      input = getStack(e.values, s - 1);
    if (has(node.properties, ComponentProperties::BackpropNeedsOutput))
      output = getStack(e.values, s);
    BackpropOp::create(builder, e.getLoc(s), e.getComponent(s), input, output,
                       getStack(e.derivs, s), /*input_deriv=*/Value(),
                       /*memo=*/Value(), /*precomputed=*/DictionaryAttr(),
                       /*update=*/true, /*draw=*/IntegerAttr());
  }
}

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

void BackwardEmitter::emitPart(size_t s, const DescriptorPart &part) {
  Value deriv;
  auto getOwner = [&](int32_t step) { return e.getOwner(e.derivs, s, step); };
  for (ScaledVector &scaled : e.getVectors(e.derivs, s, part))
    for (const LocationVector &vector :
         splitBackward(std::move(scaled.locations), getOwner)) {
      if (!deriv)
        deriv = e.getPart(s, e.getDeriv(s), part);
      emitScatter(s, vector, deriv, e.getFactor(scaled.alpha));
    }
}

void BackwardEmitter::emitScatter(size_t s, const LocationVector &vector,
                                  Value deriv, FloatAttr alpha) {
  const GatheredRows dests = e.gather(e.derivs, s, vector);
  if (dests.matrices.size() == 1)
    return emitSingle(s, dests, deriv, alpha);
  // At most one row goes to each row of the matrices.
  AddToRowsMultiOp::create(builder, e.getLoc(s), deriv,
                           buildRowTable(builder.getContext(), dests.entries,
                                         e.steps[s].rows, dests.rows),
                           dests.matrices, alpha);
}

/// Emits a command for rows that all go to one matrix.
void BackwardEmitter::emitSingle(size_t s, const GatheredRows &dests,
                                 Value deriv, FloatAttr alpha) {
  const IndexRows &rows = e.steps[s].rows;
  const IndexRows &targetRows = *dests.rows.front();
  Value dest = dests.matrices.front();
  SmallVector<RowRef> inverse(targetRows.rows.size());
  bool isUnique = true;
  for (auto [i, entry] : llvm::enumerate(dests.entries)) {
    if (entry.isNone())
      continue;
    isUnique &= inverse[entry.row].isNone();
    inverse[entry.row] = {0, int64_t(i)};
  }
  if (isIdentity(dests.entries, rows, targetRows))
    MatrixAddOp::create(builder, e.getLoc(s), deriv, dest, alpha);
  else if (isUnique)
    AddRowsOp::create(
        builder, e.getLoc(s), deriv,
        buildRowTable(builder.getContext(), inverse, targetRows, &rows), dest,
        alpha);
  else
    emitRanges(s, dests, deriv, alpha);
}

/// Emits commands for rows of which several are added to one row of the matrix.
void BackwardEmitter::emitRanges(size_t s, const GatheredRows &dests,
                                 Value deriv, FloatAttr alpha) {
  const IndexRows &rows = e.steps[s].rows;
  const IndexRows &targetRows = *dests.rows.front();
  SmallVector<int32_t> targets;
  for (const RowRef &entry : dests.entries)
    targets.push_back(entry.isNone() ? -1 : int32_t(entry.row));
  auto table = [&](ArrayRef<int32_t> list, int64_t shift) {
    SmallVector<RowRef> entries;
    for (int32_t entry : list)
      entries.push_back(entry < 0 ? RowRef::none() : RowRef{0, entry});
    return buildRowTable(builder.getContext(), entries, targetRows, &rows,
                         shift);
  };
  for (const RowRanges &ranges :
       splitIntoRanges(targets, targetRows.rows.size(), rows))
    AddRowRangesOp::create(builder, e.getLoc(s), deriv, table(ranges.first, 0),
                           table(ranges.last, 1), dests.matrices.front(), alpha,
                           builder.getI64IntegerAttr(ranges.step));
}

void mlir::nnet3::emitBackwardCommands(Emission &emission) {
  BackwardEmitter(emission).run();
}
