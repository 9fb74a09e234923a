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
