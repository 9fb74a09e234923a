//===- Emission.cpp - State of the command emitters -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emission.h"

using namespace mlir;
using namespace mlir::nnet3;

Value Emission::getView(Location loc, Value matrix, int64_t row,
                        int64_t numRows, int64_t column, int64_t numCols) {
  MemRefType type = viewTypes.get(cast<MemRefType>(matrix.getType()), row,
                                  numRows, column, numCols);
  return SubMatrixOp::create(builder, loc, type, matrix, row, column);
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

Stack &Emission::getStack(StepMatrices &its, int32_t stackStep) {
  Stack &stack = its.stacks[stackStep];
  const int32_t source = steps[stackStep].source;
  if (!stack.matrix) {
    // Only the stack of a dim-range step does not exist from the start.
    const Node &node = getNode(stackStep);
    Value matrix = getStack(its, its.stackSteps.get(source)).matrix;
    stack.matrix = getView(getLoc(stackStep), matrix, 0, numRows(matrix),
                           node.dimOffset, node.dim);
  }
  if (!stack.rows.rows.empty())
    return stack;
  const StepRounds *rounds = getRounds(stackStep);
  if (!rounds) {
    stack.rows = getStack(its, its.stackSteps.get(source)).rows;
    return stack;
  }
  stack.rows = steps[stackStep].rows;
  for (int32_t round = 1; round < rounds->count; ++round)
    llvm::append_range(stack.rows.rows,
                       steps[stackStep + round * rounds->period].rows.rows);
  return stack;
}

Value Emission::getMatrix(StepMatrices &its, size_t s) {
  Value &matrix = its.matrices[s];
  if (matrix || steps[s].rows.size() == 0 || (its.areDerivs && !needed[s]))
    return matrix;
  if (steps[s].source >= 0)
    return matrix = getColumns(s, getMatrix(its, steps[s].source));
  const StepRounds *rounds = getRounds(s);
  assert(rounds && "other steps have matrices");
  if (its.areStacked(*rounds, s)) {
    const int64_t numRows = steps[s].rows.size();
    const size_t first = rounds->begin + rounds->getNumber(s);
    return matrix = getView(getLoc(s), getStack(its, first).matrix,
                            rounds->getRound(s) * numRows, numRows, 0,
                            getNode(s).dim);
  }
  const ElidedRounds *elided = its.getElided(*rounds, s);
  assert(elided && "other rounds have matrices");
  return getMatrix(its, s - elided->count * rounds->period);
}

Value Emission::getRows(StepMatrices &its, const StepRows &rows) {
  const StepRounds *rounds = getRounds(rows.step);
  Value matrix = rounds && its.areStacked(*rounds, rows.step)
                     ? getStack(its, rows.step).matrix
                     : getMatrix(its, rows.step);
  const int64_t numSequences = steps[rows.step].rows.numSequences();
  return getView(getLoc(rows.step), matrix, rows.first * numSequences,
                 rows.count * numSequences, 0, getNode(rows.step).dim);
}

std::vector<ScaledVector> Emission::getVectors(const StepMatrices &its,
                                               size_t s,
                                               const DescriptorPart &part) {
  std::vector<ScaledVector> vectors = mlir::nnet3::getVectors(
      graph, list, steps[s], part, [&](const RowLocation &location) {
        return !its.areDerivs || needed[location.step];
      });
  if (!usesStacks(s))
    return vectors;
  for (ScaledVector &vector : vectors)
    for (auto &[step, entry] : vector.locations) {
      const int32_t stackStep = step < 0 ? -1 : its.stackSteps.get(step);
      if (stackStep < 0)
        continue;
      int32_t member = step;
      while (!getRounds(member))
        member = steps[member].source;
      entry += getRounds(member)->getRound(member) *
               int32_t(steps[step].rows.rows.size());
      step = stackStep;
    }
  return vectors;
}

GatheredRows Emission::gather(StepMatrices &its, size_t s,
                              const LocationVector &locations) {
  GatheredRows gathered;
  gathered.entries.resize(locations.size());
  StepNumbers numbers;
  for (auto [entry, location] : llvm::zip_equal(gathered.entries, locations)) {
    const int32_t step = location.step;
    if (step < 0)
      continue;
    const int32_t number = numbers.get(step);
    entry = {number, location.entry};
    if (number < int32_t(gathered.matrices.size()))
      continue;
    if (usesStacks(s) && its.stackSteps.get(step) >= 0) {
      Stack &stack = getStack(its, step);
      gathered.matrices.push_back(stack.matrix);
      gathered.rows.push_back(&stack.rows);
    } else {
      gathered.matrices.push_back(getMatrix(its, step));
      gathered.rows.push_back(&steps[step].rows);
    }
  }
  return gathered;
}
