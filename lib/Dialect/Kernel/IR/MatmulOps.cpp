//===- MatmulOps.cpp - GEMM, GEMV and pack operations ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScalarRegions.h"

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

//===----------------------------------------------------------------------===//
// GemvOp
//===----------------------------------------------------------------------===//

void GemvOp::build(
    OpBuilder &builder, OperationState &state, ValueRange rows,
    ValueRange weights, ValueRange inputs, ValueRange outputs,
    function_ref<SmallVector<Value>(OpBuilder &, Location, ValueRange)> body) {
  auto &properties = state.getOrAddProperties<Properties>();
  const ValueRange segments[] = {rows, weights, inputs, outputs};
  for (auto [size, operands] :
       llvm::zip_equal(properties.operandSegmentSizes, segments)) {
    state.addOperands(operands);
    size = operands.size();
  }
  properties.alignment = builder.getI64IntegerAttr(1);
  const int64_t numBlocks = getShape(weights.front().getType()).first /
                            getShape(outputs.front().getType()).second;
  buildScalars(
      builder, state,
      SmallVector<Type>(numBlocks + inputs.size(), builder.getF32Type()), body);
}

int64_t GemvOp::getNumColumns() {
  return getShape(getOutputs().front().getType()).second;
}

int64_t GemvOp::getNumBlocks() {
  return getShape(getWeights().front().getType()).first / getNumColumns();
}

LogicalResult GemvOp::verify() {
  if (getRows().empty() || getRows().size() != getWeights().size())
    return emitOpError("expects rows and weights for each, but got ")
           << getRows().size() << " and " << getWeights().size();
  if (getOutputs().empty())
    return emitOpError("expects an output");
  const int64_t columns = getNumColumns();
  const int64_t numSums = getShape(getWeights().front().getType()).first;
  for (auto [row, weights] :
       llvm::zip_equal(getRows().getTypes(), getWeights().getTypes())) {
    const int64_t depth = getShape(row).second;
    if (getShape(row).first != 1 ||
        getShape(weights) != std::pair(numSums, depth))
      return emitOpError("expects a single row, and weights of ")
             << numSums << "x" << depth << ", but got " << row << " and "
             << weights;
    if (depth % getAlignment())
      return emitOpError("expects rows of multiples of ")
             << getAlignment() << " columns, but got " << depth;
  }
  if (numSums % columns)
    return emitOpError("expects blocks of ")
           << columns << " sums, but got " << numSums << " sums";
  for (Type type : getOutputs().getTypes())
    if (getShape(type) != std::pair<int64_t, int64_t>(1, columns))
      return emitOpError("expects outputs of 1x")
             << columns << ", but got " << type;
  for (Type type : getInputs().getTypes())
    if (isVectorView(type)
            ? cast<MemRefType>(type).getDimSize(0) != columns
            : getShape(type) != std::pair<int64_t, int64_t>(1, columns))
      return emitOpError("expects inputs of 1x")
             << columns << ", but got " << type;
  const Type f32 = Float32Type::get(getContext());
  const int64_t numArguments = getNumBlocks() + getInputs().size();
  if (getBody().getNumArguments() != numArguments)
    return emitOpError("expects a region with ")
           << numArguments << " arguments of type f32";
  return verifyScalars(*this, getBody().front(),
                       SmallVector<Type>(numArguments, f32),
                       SmallVector<Type>(getOutputs().size(), f32));
}

//===----------------------------------------------------------------------===//
// GemmOp
//===----------------------------------------------------------------------===//

/// Verifies input `i` and the panel rows that it is multiplied with.
static LogicalResult verifyInput(GemmOp op, unsigned i, int64_t depth) {
  auto [rows, columns] = getShape(op.getInputs()[i].getType());
  const int64_t outputRows = op.getOutput().getType().getDimSize(0);
  if (rows != outputRows)
    return op.emitOpError("expects inputs with ")
           << outputRows << " rows, but got " << rows;
  if (isColumnMajorView(op.getInputs()[i].getType()) &&
      op.getPrecision() != Precision::F32)
    return op.emitOpError("expects rows without gaps in ")
           << getPrecisionName(op.getPrecision()) << ", but input " << i
           << " is of type " << op.getInputs()[i].getType();
  const int64_t first = op.getPanelRows()[i];
  const int64_t words =
      llvm::divideCeil(columns, getNumbersPerWord(op.getPrecision()));
  if (first < 0 || first > depth || words > depth - first)
    return op.emitOpError("expects inputs within panels of ")
           << depth << " rows, but input " << i << " has rows " << first
           << " to " << first + words;
  return success();
}

/// Verifies the operands that precisions below f32 need.
static LogicalResult verifyPrecision(GemmOp op) {
  const Precision precision = op.getPrecision();
  if (!isForCpu(precision))
    return op.emitOpError("does not compute in ")
           << getPrecisionName(precision);
  if (bool(op.getScratch()) != convertsRows(precision))
    return op.emitOpError("expects scratch memory for bf16, int8 and int16 "
                          "alone");
  const bool isScaled = hasIntegers(precision);
  if (bool(op.getScales()) != isScaled || bool(op.getSums()) != isScaled)
    return op.emitOpError("expects scales and sums for int8 and int16 alone");
  return success();
}

LogicalResult GemmOp::verify() {
  if (getInputs().empty() || getPanelRows().size() != getInputs().size())
    return emitOpError("expects inputs and a first row of panels for each, but "
                       "got ")
           << getInputs().size() << " and " << getPanelRows().size();
  ArrayRef<int64_t> panels = getWeights().getType().getShape();
  ArrayRef<int64_t> output = getOutput().getType().getShape();
  if (panels[0] != int64_t(llvm::divideCeil(output[1], panels[2])))
    return emitOpError("expects ")
           << llvm::divideCeil(output[1], panels[2]) << " panels of "
           << panels[2] << " columns, but got " << panels[0];
  for (unsigned i = 0; i < getInputs().size(); ++i)
    if (failed(verifyInput(*this, i, panels[1])))
      return failure();
  for (Value vector : {getBias(), getScales(), getSums()})
    if (vector && cast<MemRefType>(vector.getType()).getDimSize(0) != output[1])
      return emitOpError("expects vectors of ")
             << output[1] << " values, but got " << vector.getType();
  if (Value init = getInit())
    if (auto [rows, columns] = getShape(init.getType());
        columns != output[1] || output[0] % rows != 0)
      return emitOpError("expects an init for outputs of ")
             << output[0] << "x" << output[1] << ", but got " << init.getType();
  for (Type type : getEpilogueInputs().getTypes())
    if (isVectorView(type) ? cast<MemRefType>(type).getDimSize(0) != output[1]
                           : getShape(type) != std::pair(output[0], output[1]))
      return emitOpError("expects epilogue inputs for outputs of ")
             << output[0] << "x" << output[1] << ", but got " << type;
  if (failed(verifyPrecision(*this)))
    return failure();
  const Type f32 = Float32Type::get(getContext());
  return verifyScalars(*this, getEpilogue().front(),
                       SmallVector<Type>(1 + getEpilogueInputs().size(), f32),
                       f32);
}

//===----------------------------------------------------------------------===//
// PackOp
//===----------------------------------------------------------------------===//

int64_t PackOp::getDepth() {
  return getInput().getType().getDimSize(getTransposed() ? 1 : 0);
}

int64_t PackOp::getNumColumns() {
  return getInput().getType().getDimSize(getTransposed() ? 0 : 1);
}

LogicalResult PackOp::verify() {
  MemRefType type = getPanels().getType();
  const int64_t panels = llvm::divideCeil(getNumColumns(), type.getDimSize(2));
  if (type.getDimSize(1) != getDepth() || type.getDimSize(0) != panels)
    return emitOpError("expects ") << panels << " panels of " << getDepth()
                                   << " rows, but got " << type;
  return success();
}
