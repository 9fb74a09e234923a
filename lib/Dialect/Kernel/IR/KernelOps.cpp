//===- KernelOps.cpp - Operations of the kernel dialect -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

LogicalResult IndexedRowsOp::verify() {
  const int64_t size = getTable().getType().getDimSize(0);
  const int64_t rows = getType().getNumRows();
  if (rows <= size)
    return success();
  return emitOpError("expects a table of at least ")
         << rows << " entries, but got " << size;
}

/// A region that computes scalars: `numInputs` arguments, operations on single
/// elements, `numOutputs` results.
static LogicalResult verifyScalars(Operation *op, Block &block,
                                   size_t numInputs, size_t numOutputs) {
  if (block.getNumArguments() != numInputs ||
      !llvm::all_of(block.getArgumentTypes(),
                    [](Type type) { return type.isF32(); }))
    return op->emitOpError("expects a region with ")
           << numInputs << " arguments of type f32";
  auto isScalar = [](Type type) { return type.isIntOrIndexOrFloat(); };
  for (Operation &inner : block.without_terminator())
    if ((!inner.hasTrait<OpTrait::ConstantLike>() &&
         !OpTrait::hasElementwiseMappableTraits(&inner)) ||
        !llvm::all_of(inner.getResultTypes(), isScalar))
      return inner.emitOpError("does not compute element by element, as the "
                               "regions of kernel operations do");
  auto yield = dyn_cast<kernel::YieldOp>(block.getTerminator());
  if (!yield || yield.getValues().size() != numOutputs ||
      !llvm::all_of(yield.getValues().getTypes(),
                    [](Type type) { return type.isF32(); }))
    return op->emitOpError("expects a region that yields ")
           << numOutputs << " values of type f32";
  return success();
}

//===----------------------------------------------------------------------===//
// MapOp
//===----------------------------------------------------------------------===//

void MapOp::build(
    OpBuilder &builder, OperationState &state, ValueRange inputs,
    ValueRange outputs, bool accumulate,
    function_ref<SmallVector<Value>(OpBuilder &, Location, ValueRange)> body) {
  state.addOperands(inputs);
  state.addOperands(outputs);
  auto &properties = state.getOrAddProperties<Properties>();
  properties.operandSegmentSizes = {int32_t(inputs.size()),
                                    int32_t(outputs.size())};
  properties.accumulate = accumulate ? builder.getUnitAttr() : UnitAttr();
  Region *region = state.addRegion();
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(
      region, {}, SmallVector<Type>(inputs.size(), builder.getF32Type()),
      SmallVector<Location>(inputs.size(), state.location));
  kernel::YieldOp::create(builder, state.location,
                          body(builder, state.location, block->getArguments()));
}

int64_t MapOp::getNumRows() {
  return getShape(getOutputs().front().getType()).first;
}

int64_t MapOp::getNumColumns() {
  return getShape(getOutputs().front().getType()).second;
}

/// Whether an input of type `type` has an element for each of those of `rows`
/// x `columns` (see the op's description).
static bool spreads(Type type, int64_t rows, int64_t columns) {
  if (isVectorView(type))
    return cast<MemRefType>(type).getDimSize(0) == columns;
  auto [inputRows, inputColumns] = getShape(type);
  return (inputColumns == columns || inputColumns == 1) &&
         (inputRows == rows || (isMatrixView(type) && rows % inputRows == 0));
}

LogicalResult MapOp::verify() {
  if (getOutputs().empty())
    return emitOpError("expects an output");
  const int64_t rows = getNumRows(), columns = getNumColumns();
  for (Type type : getOutputs().getTypes())
    if (getShape(type) != std::pair(rows, columns))
      return emitOpError("expects outputs of ")
             << rows << "x" << columns << ", but got " << type;
  for (Type type : getInputs().getTypes())
    if (!spreads(type, rows, columns))
      return emitOpError("expects inputs for outputs of ")
             << rows << "x" << columns << ", but got " << type;
  return verifyScalars(*this, getBody().front(), getInputs().size(),
                       getOutputs().size());
}

//===----------------------------------------------------------------------===//
// GemmOp
//===----------------------------------------------------------------------===//

/// Input `i`, whose rows the weights have to have.
static LogicalResult verifyInput(GemmOp op, unsigned i, int64_t depth) {
  auto [rows, columns] = getShape(op.getInputs()[i].getType());
  const int64_t outputRows = op.getOutput().getType().getDimSize(0);
  if (rows != outputRows)
    return op.emitOpError("expects inputs with ")
           << outputRows << " rows, but got " << rows;
  const int64_t first = op.getPanelRows()[i];
  const int64_t words =
      llvm::divideCeil(columns, getNumbersPerWord(op.getPrecision()));
  if (first < 0 || first > depth || words > depth - first)
    return op.emitOpError("expects inputs within panels of ")
           << depth << " rows, but input " << i << " has rows " << first
           << " to " << first + words;
  return success();
}

/// The memory for numbers of less than f32.
static LogicalResult verifyPrecision(GemmOp op) {
  const Precision precision = op.getPrecision();
  if (!isForCpu(precision))
    return op.emitOpError("does not compute in ")
           << getPrecisionName(precision);
  if (bool(op.getScratch()) != (precision != Precision::F32))
    return op.emitOpError("expects scratch memory for bf16 and int8 alone");
  const bool isInt8 = precision == Precision::Int8;
  if (bool(op.getScales()) != isInt8 || bool(op.getSums()) != isInt8)
    return op.emitOpError("expects scales and sums for int8 alone");
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
  return verifyScalars(*this, getEpilogue().front(),
                       1 + getEpilogueInputs().size(), /*numOutputs=*/1);
}

#define GET_OP_CLASSES
#include "nnet3/Dialect/Kernel/IR/KernelOps.cpp.inc"
