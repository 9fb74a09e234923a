//===- ConstantComponents.cpp - Trained constants -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Components.h"

using namespace mlir;
using namespace mlir::nnet3;

void ConstantOp::getInputIndexes(Index, SmallVectorImpl<Index> &) {}
bool ConstantOp::isComputable(Index, function_ref<bool(Index)>,
                              SmallVectorImpl<Index> *) {
  return true;
}

#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/Components/ConstantComponentOps.cpp.inc"
