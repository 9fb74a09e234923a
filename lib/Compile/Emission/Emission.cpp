//===- Emission.cpp - State of the command emitters -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emission.h"

using namespace mlir;
using namespace mlir::nnet3;

Value Emission::getView(size_t s, Value matrix, size_t number,
                        int64_t colOffset, int64_t numCols) {
  int64_t numRows = steps[s].rows.size();
  SmallVector<View, 1> &known = views[steps[s].node];
  if (known.size() <= number)
    known.resize(number + 1);
  View &view = known[number];
  if (view.source == matrix.getType() && view.type.getDimSize(0) == numRows)
    return SubMatrixOp::create(builder, getLoc(s), view.type, matrix,
                               view.rowOffset, view.colOffset);
  auto op = SubMatrixOp::create(builder, getLoc(s), matrix, 0, numRows,
                                colOffset, numCols);
  view = {cast<MemRefType>(matrix.getType()), op.getType(),
          op.getRowOffsetAttr(), op.getColOffsetAttr()};
  return op;
}

namespace {
/// Numbers steps in the order of first use.
class StepNumbers {
public:
  /// Returns the number of `step`; a new step gets the next number.
  int32_t get(int32_t step) {
    if (step != lastStep) {
      last = numbers.try_emplace(step, int32_t(numbers.size())).first->second;
      lastStep = step;
    }
    return last;
  }

private:
  DenseMap<int32_t, int32_t> numbers;
  int32_t lastStep = -1, last = -1;
};
} // namespace

/// Returns the stack of the step, whose matrix exists unless the step is a
/// dim-range step.
Stack &Emission::getStack(const StepRounds &rounds, size_t s) {
  const int32_t first = rounds.begin + rounds.getNumber(s);
  Stack &stack = stacks[first];
  if (!stack.matrix) {
    const Node &node = getNode(first);
    Value source = getStack(rounds, steps[first].source).matrix;
    stack.matrix =
        SubMatrixOp::create(builder, getLoc(first), source, 0,
                            cast<MemRefType>(source.getType()).getDimSize(0),
                            node.dimOffset, node.dim);
  }
  if (stack.rows.rows.empty()) {
    stack.rows = steps[first].rows;
    for (int32_t round = 1; round < rounds.count; ++round)
      llvm::append_range(stack.rows.rows,
                         steps[first + round * rounds.period].rows.rows);
  }
  return stack;
}

Value Emission::getValue(size_t s) {
  if (values[s] || steps[s].rows.size() == 0)
    return values[s];
  const StepRounds *rounds = getRounds(s);
  if (steps[s].source >= 0)
    return values[s] = getColumns(s, getValue(steps[s].source));
  assert(rounds && "other steps have matrices");
  if (rounds->isStacked(s)) {
    const int64_t numRows = steps[s].rows.size();
    values[s] = SubMatrixOp::create(
        builder, getLoc(s), getStack(*rounds, s).matrix,
        rounds->getRound(s) * numRows, numRows, 0, getNode(s).dim);
    return values[s];
  }
  assert(rounds->isElided(s) && "other rounds have matrices");
  return getValue(s - rounds->numElided * rounds->period);
}

GatheredRows Emission::gatherRows(const LocationVector &locations,
                                  ArrayRef<Value> matrixOfStep) const {
  GatheredRows gathered;
  gathered.entries.resize(locations.size());
  StepNumbers numbers;
  for (auto [entry, location] : llvm::zip_equal(gathered.entries, locations)) {
    if (location.step < 0)
      continue;
    int32_t number = numbers.get(location.step);
    if (number == int32_t(gathered.matrices.size())) {
      gathered.matrices.push_back(matrixOfStep[location.step]);
      gathered.rows.push_back(&steps[location.step].rows);
    }
    entry = {number, location.entry};
  }
  return gathered;
}

GatheredRows Emission::gatherValues(size_t reader,
                                    const LocationVector &locations) {
  // Rounds read views, which move from round to round.
  const bool readsStacks = !options.rounds.empty() && !getRounds(reader);
  GatheredRows gathered;
  gathered.entries.resize(locations.size());
  StepNumbers numbers;
  for (auto [entry, location] : llvm::zip_equal(gathered.entries, locations)) {
    int32_t step = location.step, row = location.entry;
    if (step < 0)
      continue;
    const StepRounds *rounds = readsStacks ? getRounds(step) : nullptr;
    if (rounds && !rounds->isStacked(step))
      rounds = nullptr;
    if (rounds) {
      row += rounds->getRound(step) * int32_t(steps[step].rows.rows.size());
      step = rounds->begin + rounds->getNumber(step);
    }
    int32_t number = numbers.get(step);
    if (number == int32_t(gathered.matrices.size())) {
      Stack *stack = rounds ? &getStack(*rounds, step) : nullptr;
      gathered.matrices.push_back(stack ? stack->matrix : getValue(step));
      gathered.rows.push_back(stack ? &stack->rows : &steps[step].rows);
    }
    entry = {number, row};
  }
  return gathered;
}
