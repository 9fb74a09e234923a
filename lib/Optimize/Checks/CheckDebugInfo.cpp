//===- CheckDebugInfo.cpp - Check debug information -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckComputation.h"
#include "nnet3/Dialect/Nnet3/IR/DebugInfo.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Returns the smallest n of a list of rows that is not empty.
static int32_t getLeastSequence(IndexesAttr indexes) {
  if (!indexes.isExplicit())
    return *llvm::min_element(indexes.getN());
  int32_t least = indexes.getList()[0];
  for (size_t i = 0; i < indexes.getList().size(); i += 3)
    least = std::min(least, indexes.getList()[i]);
  return least;
}

static LogicalResult check(Operation *definition, int64_t rows) {
  Attribute attr = definition->getAttr(kDebugIndexesAttr);
  if (!attr)
    return success();
  auto indexes = dyn_cast<IndexesAttr>(attr);
  if (!indexes ||
      !isa_and_nonnull<StringAttr>(definition->getAttr(kDebugNodeAttr)))
    return definition->emitOpError("expects debug information to be the name "
                                   "of a node and Indexes");
  if (indexes.size() != rows)
    return definition->emitOpError("debug information has ")
           << indexes.size() << " Indexes for " << rows << " rows";
  int32_t least = getLeastSequence(indexes);
  if (least < 0)
    return definition->emitOpError("debug information has n = ") << least;
  return success();
}

LogicalResult mlir::nnet3::checkDebugInfo(const CommandAnalysis &analysis) {
  bool fails = false;
  for (int32_t m = 0; m < analysis.getNumMatrices(); ++m) {
    const MatrixVariables &matrix = analysis.getMatrix(m);
    fails |=
        failed(check(matrix.matrix.getDefiningOp(), matrix.rowSplits.back()));
  }
  return failure(fails);
}
