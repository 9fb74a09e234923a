//===- DescriptorFolders.cpp - Folders of descriptors ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folding preserves the rows of a descriptor, the set of its computable rows,
// and the order of additions.
//
//===----------------------------------------------------------------------===//

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Whether all rows of a descriptor are computable.
static bool isComputableEverywhere(Value rows) {
  return isa_and_nonnull<ConstOp, IfDefinedOp>(rows.getDefiningOp());
}

/// Returns the operand if it is the only one; then the descriptor is the
/// identity.
static OpFoldResult getSingle(OperandRange operands) {
  return operands.size() == 1 ? OpFoldResult(operands.front()) : OpFoldResult();
}

/// Flattens nested Appends.
OpFoldResult AppendOp::fold(FoldAdaptor) {
  if (getParts().size() == 1)
    return getSingle(getParts());
  SmallVector<Value> parts;
  for (Value part : getParts())
    if (auto inner = part.getDefiningOp<AppendOp>())
      llvm::append_range(parts, inner.getParts());
    else
      parts.push_back(part);
  if (parts.size() == getParts().size())
    return {};
  getPartsMutable().assign(parts);
  return getResult();
}

OpFoldResult SumOp::fold(FoldAdaptor) { return getSingle(getTerms()); }

OpFoldResult SwitchOp::fold(FoldAdaptor) { return getSingle(getCases()); }

OpFoldResult ScaleOp::fold(FoldAdaptor) {
  return getAlpha().isExactlyValue(1.0) ? OpFoldResult(getInput())
                                        : OpFoldResult();
}

/// Adds the offsets of nested Offsets.
OpFoldResult OffsetOp::fold(FoldAdaptor) {
  if (getT() == 0 && getX() == 0)
    return getInput();
  auto inner = getInput().getDefiningOp<OffsetOp>();
  if (!inner)
    return {};
  const int64_t t = int64_t(int32_t(getT())) + int32_t(inner.getT());
  const int64_t x = int64_t(int32_t(getX())) + int32_t(inner.getX());
  if (!llvm::isInt<32>(t) || !llvm::isInt<32>(x))
    return {};
  setT(t);
  setX(x);
  getInputMutable().assign(inner.getInput());
  return getResult();
}

OpFoldResult RoundOp::fold(FoldAdaptor) {
  return getModulus() == 1 ? OpFoldResult(getInput()) : OpFoldResult();
}

/// The outer one of nested ReplaceIndexes of the same variable takes effect.
OpFoldResult ReplaceIndexOp::fold(FoldAdaptor) {
  auto inner = getInput().getDefiningOp<ReplaceIndexOp>();
  if (!inner || inner.getVariable() != getVariable())
    return {};
  getInputMutable().assign(inner.getInput());
  return getResult();
}

OpFoldResult FailoverOp::fold(FoldAdaptor) {
  return getPrimary() == getFallback() || isComputableEverywhere(getPrimary())
             ? OpFoldResult(getPrimary())
             : OpFoldResult();
}

OpFoldResult IfDefinedOp::fold(FoldAdaptor) {
  return isComputableEverywhere(getInput()) ? OpFoldResult(getInput())
                                            : OpFoldResult();
}
