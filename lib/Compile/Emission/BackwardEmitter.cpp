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

  void run() {
    for (size_t s = e.steps.size(); s-- > 0;)
      if (e.needed[s])
        emitStep(s);
  }

private:
  void emitStep(size_t s);
  void emitBackprop(size_t s);
  void emitPart(size_t s, const DescriptorPart &part);
  void emitScatter(size_t s, const LocationVector &vector, Value deriv,
                   FloatAttr alpha);
  void emitSingle(size_t s, int32_t target, const LocationVector &vector,
                  Value deriv, FloatAttr alpha);
  void emitRanges(size_t s, int32_t target, ArrayRef<int32_t> targets,
                  Value deriv, FloatAttr alpha);
  void emitMulti(size_t s, const LocationVector &vector, Value deriv,
                 FloatAttr alpha);

  Emission &e;
  OpBuilder &builder;
};
} // namespace

void BackwardEmitter::emitStep(size_t s) {
  const Node &node = e.getNode(s);
  if (e.steps[s].isInput)
    return;
  if (node.kind == Node::Kind::Component)
    return emitBackprop(s);
  for (const DescriptorPart &part : node.parts)
    emitPart(s, part);
}

void BackwardEmitter::emitBackprop(size_t s) {
  const Node &node = e.getNode(s);
  bool update = e.options.derivatives.modelDerivative &&
                has(node.properties, ComponentProperties::Updatable);
  auto valueIf = [&](ComponentProperties property, Value value) {
    return has(node.properties, property) ? value : Value();
  };
  ComponentOpInterface component = node.component;
  auto precomputed = component.precomputeIndexes(
      e.steps[s - 1].rows, e.steps[s].rows, /*needBackprop=*/true);
  auto backprop = BackpropOp::create(
      builder, e.getLoc(s), e.getComponent(s),
      valueIf(ComponentProperties::BackpropNeedsInput, e.values[s - 1]),
      valueIf(ComponentProperties::BackpropNeedsOutput, e.values[s]),
      e.derivs[s], e.derivs[s - 1], e.memos[s], precomputed, update,
      /*draw=*/IntegerAttr());
  if (precomputed)
    e.attachRows(backprop, s, /*needBackprop=*/true);
}

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

void BackwardEmitter::emitPart(size_t s, const DescriptorPart &part) {
  Value deriv;
  auto hasDeriv = [&](const RowLocation &location) {
    return bool(e.derivs[location.step]);
  };
  std::vector<ScaledVector> vectors =
      getVectors(e.graph, e.list, e.steps[s], part, hasDeriv);
  for (ScaledVector &scaled : vectors)
    for (const LocationVector &vector :
         splitBackward(std::move(scaled.locations))) {
      if (!deriv)
        deriv = e.getPart(s, e.derivs[s], part);
      emitScatter(s, vector, deriv, e.getFactor(scaled.alpha));
    }
}

void BackwardEmitter::emitScatter(size_t s, const LocationVector &vector,
                                  Value deriv, FloatAttr alpha) {
  int32_t target = -1;
  for (const RowLocation &location : vector) {
    if (location.step < 0)
      continue;
    if (target >= 0 && target != location.step)
      return emitMulti(s, vector, deriv, alpha);
    target = location.step;
  }
  emitSingle(s, target, vector, deriv, alpha);
}

/// Emits a command for rows that all go to one matrix: that of step `target`.
void BackwardEmitter::emitSingle(size_t s, int32_t target,
                                 const LocationVector &vector, Value deriv,
                                 FloatAttr alpha) {
  const IndexRows &rows = e.steps[s].rows;
  const IndexRows &targetRows = e.steps[target].rows;
  Value dest = e.derivs[target];
  SmallVector<int32_t> targets;
  SmallVector<RowRef> entries, inverse(targetRows.rows.size());
  bool isUnique = true;
  for (auto [i, location] : llvm::enumerate(vector)) {
    targets.push_back(location.entry);
    entries.push_back(location.step < 0 ? RowRef::none()
                                        : RowRef{0, location.entry});
    if (location.step < 0)
      continue;
    isUnique &= inverse[location.entry].isNone();
    inverse[location.entry] = {0, int64_t(i)};
  }
  if (isIdentity(entries, rows, targetRows))
    MatrixAddOp::create(builder, e.getLoc(s), deriv, dest, alpha);
  else if (isUnique)
    AddRowsOp::create(
        builder, e.getLoc(s), deriv,
        buildRowTable(builder.getContext(), inverse, targetRows, &rows), dest,
        alpha);
  else
    emitRanges(s, target, targets, deriv, alpha);
}

/// Emits commands for rows of which several are added to one target row.
void BackwardEmitter::emitRanges(size_t s, int32_t target,
                                 ArrayRef<int32_t> targets, Value deriv,
                                 FloatAttr alpha) {
  const IndexRows &rows = e.steps[s].rows;
  const IndexRows &targetRows = e.steps[target].rows;
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
                           table(ranges.last, 1), e.derivs[target], alpha,
                           builder.getI64IntegerAttr(ranges.step));
}

/// Emits a command for rows that go to several matrices, at most one to each
/// row.
void BackwardEmitter::emitMulti(size_t s, const LocationVector &vector,
                                Value deriv, FloatAttr alpha) {
  const GatheredRows dests = e.gatherRows(vector, e.derivs);
  AddToRowsMultiOp::create(builder, e.getLoc(s), deriv,
                           buildRowTable(builder.getContext(), dests.entries,
                                         e.steps[s].rows, dests.rows),
                           dests.matrices, alpha);
}

void mlir::nnet3::emitBackwardCommands(Emission &emission) {
  BackwardEmitter(emission).run();
}
