//===- CommandOps.cpp - Computations and their commands -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"
#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::nnet3;

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

static void addEffect(Effects &effects, OpOperand &operand,
                      MemoryEffects::Effect *effect) {
  effects.emplace_back(effect, &operand, SideEffects::DefaultResource::get());
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

Value SubMatrixOp::getViewSource() { return getSource(); }

void SubMatrixOp::build(OpBuilder &builder, OperationState &state, Value source,
                        int64_t rowOffset, int64_t numRows, int64_t colOffset,
                        int64_t numCols) {
  build(builder, state,
        getViewType(cast<MemRefType>(source.getType()), rowOffset, numRows,
                    colOffset, numCols),
        source, rowOffset, colOffset);
}

/// Folds a view of a whole matrix to the matrix, and a view of a view to one
/// view.
OpFoldResult SubMatrixOp::fold(FoldAdaptor) {
  if (getSource().getType() == getType())
    return getSource();
  auto outer = getSource().getDefiningOp<SubMatrixOp>();
  if (!outer)
    return {};
  setRowOffset(getRowOffset() + outer.getRowOffset());
  setColOffset(getColOffset() + outer.getColOffset());
  getSourceMutable().assign(outer.getSource());
  return getResult();
}

Value MovingSubMatrixOp::getViewSource() { return getSource(); }

void MovingSubMatrixOp::build(OpBuilder &builder, OperationState &state,
                              Value source, Value round, int64_t rowOffset,
                              int64_t rowStep, int64_t numRows,
                              int64_t colOffset, int64_t numCols) {
  auto type = cast<MemRefType>(source.getType());
  auto strided =
      StridedLayoutAttr::get(builder.getContext(), ShapedType::kDynamic,
                             {MatrixLayout::get(type)->stride, 1});
  auto result =
      MemRefType::get({numRows, numCols}, type.getElementType(), strided);
  build(builder, state, result, source, round, rowOffset, rowStep, colOffset);
}

//===----------------------------------------------------------------------===//
// Component commands
//===----------------------------------------------------------------------===//

void PropagateOp::getEffects(Effects &effects) {
  if (getInput())
    addEffect(effects, getInputMutable()[0], MemoryEffects::Read::get());
  // Whether the component adds to its output is not known here; reading the
  // output is the conservative assumption.
  addEffect(effects, getOutputMutable(), MemoryEffects::Read::get());
  addEffect(effects, getOutputMutable(), MemoryEffects::Write::get());
}

void StoreStatsOp::getEffects(Effects &effects) {
  if (getInput())
    addEffect(effects, getInputMutable()[0], MemoryEffects::Read::get());
  addEffect(effects, getOutputMutable(), MemoryEffects::Read::get());
  // Statistics are not a value of the computation, but a side effect.
  effects.emplace_back(MemoryEffects::Write::get(),
                       SideEffects::DefaultResource::get());
}

void BackpropOp::getEffects(Effects &effects) {
  if (getInputValue())
    addEffect(effects, getInputValueMutable()[0], MemoryEffects::Read::get());
  if (getOutputValue())
    addEffect(effects, getOutputValueMutable()[0], MemoryEffects::Read::get());
  addEffect(effects, getOutputDerivMutable(), MemoryEffects::Read::get());
  if (getInputDeriv()) {
    addEffect(effects, getInputDerivMutable()[0], MemoryEffects::Read::get());
    addEffect(effects, getInputDerivMutable()[0], MemoryEffects::Write::get());
  }
  if (getUpdate())
    effects.emplace_back(MemoryEffects::Write::get(),
                         SideEffects::DefaultResource::get());
}

void BackpropOp::build(OpBuilder &builder, OperationState &state,
                       SymbolRefAttr component, Value inputValue,
                       Value outputValue, Value outputDeriv, Value inputDeriv,
                       Value memo, DictionaryAttr precomputed, bool update,
                       IntegerAttr draw) {
  build(builder, state, component, inputValue, outputValue, outputDeriv,
        inputDeriv, memo, /*round=*/Value(), precomputed,
        /*time_step=*/IntegerAttr(), update, draw);
}

LogicalResult NoOperationOp::canonicalize(NoOperationOp op,
                                          PatternRewriter &rewriter) {
  rewriter.eraseOp(op);
  return success();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

ParseResult LoopOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::Argument round;
  round.type = parser.getBuilder().getIndexType();
  IntegerAttr count;
  if (parser.parseArgument(round) || parser.parseKeyword("to") ||
      parser.parseAttribute(count, parser.getBuilder().getI64Type(),
                            getCountAttrName(result.name), result.attributes) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, round))
    return failure();
  if (body->empty())
    body->emplaceBlock().addArgument(round.type, result.location);
  return success();
}

void LoopOp::print(OpAsmPrinter &printer) {
  printer << " " << getRound() << " to " << getCount();
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {getCountAttrName()});
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/CommandOps.cpp.inc"
