//===- ElementwiseComponents.cpp - Element-wise and summing ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Components.h"

#include <limits>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::detail;

LogicalResult ElementwiseProductOp::verifyConfiguration() {
  if (getInputDim() <= getOutputDim())
    return emitOpError("expects an input_dim above output_dim ")
           << getOutputDim() << ", but got " << getInputDim();
  return verifyDivides(*this, "output_dim", getOutputDim(), "input_dim",
                       getInputDim());
}

LogicalResult SumGroupOp::verifyConfiguration() {
  if (getSizes().empty())
    return emitOpError("expects at least one size");
  for (int64_t size : getSizes())
    if (size <= 0 || size > std::numeric_limits<int32_t>::max())
      return emitOpError("expects positive sizes, but got ") << size;
  return success();
}

LogicalResult PermuteOp::verifyConfiguration() {
  std::vector<bool> seen(getColumnMap().size());
  if (seen.empty())
    return emitOpError("expects at least one column");
  for (int64_t column : getColumnMap()) {
    if (column < 0 || column >= int64_t(seen.size()) || seen[column])
      return emitOpError("column_map is not a permutation of 0 to ")
             << seen.size() - 1;
    seen[column] = true;
  }
  return success();
}

#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/Components/ElementwiseComponentOps.cpp.inc"
