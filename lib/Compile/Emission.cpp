//===- Emission.cpp - What the emitters of commands share -----------------===//

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
