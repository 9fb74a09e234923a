//===- CommandVerifiers.cpp - What commands must satisfy ------------------===//

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::nnet3;

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

/// A whole matrix: static shape, rows one after another.
static LogicalResult verifyWholeType(Operation *op, Type type) {
  auto memref = cast<MemRefType>(type);
  if (!memref.hasStaticShape() || !memref.getLayout().isIdentity())
    return op->emitOpError("expects a whole matrix, but got ") << type;
  if (memref.getNumElements() == 0 && memref.getDimSize(1) == 0)
    return op->emitOpError("expects a matrix with columns, but got ") << type;
  return success();
}

/// A value that stands for a whole matrix, not a view of one.
static LogicalResult verifyWholeMatrix(Operation *op, Value value) {
  if (value.getDefiningOp<SubMatrixOp>())
    return op->emitOpError("expects a whole matrix, but got a sub-matrix");
  return verifyWholeType(op, value.getType());
}

LogicalResult AllocMatrixZeroedOp::verify() {
  return verifyWholeType(*this, getType());
}

LogicalResult AllocMatrixUndefinedOp::verify() {
  return verifyWholeType(*this, getType());
}

LogicalResult DeallocMatrixOp::verify() {
  return verifyWholeMatrix(*this, getMatrix());
}

LogicalResult MoveMatrixOp::verify() {
  return verifyWholeMatrix(*this, getSource());
}

LogicalResult AcceptInputOp::verify() {
  return verifyWholeType(*this, getType());
}

LogicalResult ProvideOutputOp::verify() {
  return verifyWholeMatrix(*this, getMatrix());
}

LogicalResult SubMatrixOp::verify() {
  auto source = cast<MemRefType>(getSource().getType());
  auto result = cast<MemRefType>(getType());
  SmallVector<int64_t> strides, resultStrides;
  int64_t offset, resultOffset;
  if (!source.hasStaticShape() || !result.hasStaticShape() ||
      failed(source.getStridesAndOffset(strides, offset)) ||
      failed(result.getStridesAndOffset(resultStrides, resultOffset)))
    return emitOpError("expects strided matrices of static shape");
  int64_t row = getRowOffset(), col = getColOffset();
  auto inRange = [&](int64_t first, int64_t size, int64_t limit) {
    return first >= 0 && first <= limit && size <= limit - first;
  };
  if (!inRange(row, result.getDimSize(0), source.getDimSize(0)) ||
      !inRange(col, result.getDimSize(1), source.getDimSize(1)))
    return emitOpError("a ")
           << result.getDimSize(0) << "x" << result.getDimSize(1)
           << " view at [" << row << ", " << col << "] is outside the source's "
           << source.getDimSize(0) << "x" << source.getDimSize(1);
  if (strides != resultStrides ||
      resultOffset != offset + row * strides[0] + col * strides[1])
    return emitOpError("expects a result with the source's strides and offset ")
           << offset + row * strides[0] + col * strides[1] << ", but got "
           << result;
  return success();
}

template <typename OpTy>
static LogicalResult verifyCompression(OpTy op, Type matrix,
                                       CompressedType compressed) {
  auto memref = cast<MemRefType>(matrix);
  if (memref.getDimSize(0) != compressed.getRows() ||
      memref.getDimSize(1) != compressed.getCols())
    return op.emitOpError("expects matrices of the same shape, but got ")
           << matrix << " and " << compressed;
  return success();
}

LogicalResult CompressMatrixOp::verify() {
  if (failed(verifyWholeMatrix(*this, getMatrix())))
    return failure();
  return verifyCompression(*this, getMatrix().getType(), getType());
}

LogicalResult DecompressMatrixOp::verify() {
  if (failed(verifyWholeType(*this, getType())))
    return failure();
  return verifyCompression(*this, getType(), getCompressed().getType());
}

//===----------------------------------------------------------------------===//
// Row commands
//===----------------------------------------------------------------------===//

static int64_t numRows(Value value) {
  return cast<MemRefType>(value.getType()).getDimSize(0);
}

static int64_t numCols(Value value) {
  return cast<MemRefType>(value.getType()).getDimSize(1);
}

static LogicalResult verifySameCols(Operation *op, Value a, Value b) {
  if (numCols(a) != numCols(b))
    return op->emitOpError("expects matrices with the same columns, but got ")
           << numCols(a) << " and " << numCols(b);
  return success();
}

/// One entry per row of `driven`, each a row of one of `targets`.
static LogicalResult verifyTable(Operation *op, RowTableAttr table,
                                 Value driven, ValueRange targets) {
  if (table.size() != numRows(driven))
    return op->emitOpError("expects a row table with ")
           << numRows(driven) << " entries, but got " << table.size();
  SmallVector<int64_t> largest = table.getMaxRows(targets.size());
  for (auto [source, row] : llvm::enumerate(largest)) {
    if (row < 0)
      continue;
    if (source >= targets.size())
      return op->emitOpError("row table names matrix ")
             << source << ", but there are " << targets.size();
    if (row >= numRows(targets[source]))
      return op->emitOpError("row table names row ")
             << row << " of a matrix with " << numRows(targets[source])
             << " rows";
  }
  return success();
}

template <typename OpTy> static LogicalResult verifyRowsOp(OpTy op) {
  if (failed(verifySameCols(op, op.getSource(), op.getDest())))
    return failure();
  return verifyTable(op, op.getRows(), op.getDest(), op.getSource());
}

LogicalResult CopyRowsOp::verify() { return verifyRowsOp(*this); }
LogicalResult AddRowsOp::verify() { return verifyRowsOp(*this); }

template <typename OpTy> static LogicalResult verifyFromRows(OpTy op) {
  for (Value source : op.getSources())
    if (failed(verifySameCols(op, source, op.getDest())))
      return failure();
  return verifyTable(op, op.getRows(), op.getDest(), op.getSources());
}

LogicalResult CopyRowsMultiOp::verify() { return verifyFromRows(*this); }
LogicalResult AddRowsMultiOp::verify() { return verifyFromRows(*this); }

template <typename OpTy> static LogicalResult verifyToRows(OpTy op) {
  for (Value dest : op.getDests())
    if (failed(verifySameCols(op, op.getSource(), dest)))
      return failure();
  if (failed(verifyTable(op, op.getRows(), op.getSource(), op.getDests())))
    return failure();
  DenseSet<std::pair<int32_t, int64_t>> seen;
  for (const RowRef &row : op.getRows().expand())
    if (!row.isNone() && !seen.insert({row.source, row.row}).second)
      return op.emitOpError("row ")
             << row.row << " of matrix " << row.source << " is written twice";
  return success();
}

LogicalResult CopyToRowsMultiOp::verify() { return verifyToRows(*this); }
LogicalResult AddToRowsMultiOp::verify() { return verifyToRows(*this); }

LogicalResult AddRowRangesOp::verify() {
  if (failed(verifySameCols(*this, getSource(), getDest())))
    return failure();
  if (getBegin().size() != numRows(getDest()) ||
      getEnd().size() != numRows(getDest()))
    return emitOpError("expects row tables with ")
           << numRows(getDest()) << " entries, but got " << getBegin().size()
           << " and " << getEnd().size();
  for (auto [begin, end] :
       llvm::zip_equal(getBegin().expand(), getEnd().expand())) {
    if (begin.isNone() && end.isNone())
      continue;
    if (begin.isNone() || end.isNone() || begin.source != 0 ||
        end.source != 0 || begin.row >= end.row ||
        end.row > numRows(getSource()))
      return emitOpError("expects ranges of rows of the source, but got [")
             << begin.row << ", " << end.row << ")";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Component commands
//===----------------------------------------------------------------------===//

LogicalResult
ComputationOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  if (!symbolTable.lookupNearestSymbolFrom<NetworkOp>(*this, getNetworkAttr()))
    return emitOpError("refers to an undefined network ") << getNetworkAttr();
  return success();
}

/// The component that a command names; emits an error if there is none.
static ComponentOpInterface
lookupComponent(Operation *op, SymbolRefAttr name,
                SymbolTableCollection &symbolTable) {
  Operation *module = op->getParentOfType<ComputationOp>();
  auto component = dyn_cast_or_null<ComponentOpInterface>(
      symbolTable.lookupNearestSymbolFrom(module->getParentOp(), name));
  if (!component)
    op->emitOpError("refers to an undefined component ") << name;
  return component;
}

/// `value` has as many columns as the component's input, or output.
static LogicalResult verifyCols(Operation *op, StringRef what, Value value,
                                int64_t dim) {
  if (value && numCols(value) != dim)
    return op->emitOpError("expects ")
           << what << " with " << dim << " columns, but got " << numCols(value);
  return success();
}

static LogicalResult verifyContiguous(Operation *op, StringRef what,
                                      Value value, bool required) {
  auto type = value ? cast<MemRefType>(value.getType()) : MemRefType();
  if (!required || !type)
    return success();
  auto [strides, offset] = type.getStridesAndOffset();
  if (strides[0] != type.getDimSize(1))
    return op->emitOpError("expects contiguous ")
           << what << ", but got " << type;
  return success();
}

/// Values or derivatives on the input and output side of a component.
static LogicalResult verifySides(Operation *op, ComponentOpInterface component,
                                 Value input, Value output) {
  ComponentProperties properties = component.getComponentProperties();
  if (failed(verifyCols(op, "an input", input,
                        component.getComponentInputDim())) ||
      failed(verifyCols(op, "an output", output,
                        component.getComponentOutputDim())) ||
      failed(verifyContiguous(
          op, "an input", input,
          has(properties, ComponentProperties::InputContiguous))) ||
      failed(verifyContiguous(
          op, "an output", output,
          has(properties, ComponentProperties::OutputContiguous))))
    return failure();
  if (has(properties, ComponentProperties::Simple) && input && output &&
      numRows(input) != numRows(output))
    return op->emitOpError("expects as many input rows as output rows, but "
                           "got ")
           << numRows(input) << " and " << numRows(output);
  return success();
}

LogicalResult
PropagateOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  ComponentOpInterface component =
      lookupComponent(*this, getComponentAttr(), symbolTable);
  if (!component ||
      failed(verifySides(*this, component, getInput(), getOutput())))
    return failure();
  ComponentProperties properties = component.getComponentProperties();
  if (getInput() && getInput() == getOutput() &&
      !has(properties, ComponentProperties::PropagateInPlace))
    return emitOpError("component does not propagate in place");
  if (getMemo() && !has(properties, ComponentProperties::UsesMemo))
    return emitOpError("component has no memo");
  return success();
}

LogicalResult
StoreStatsOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  ComponentOpInterface component =
      lookupComponent(*this, getComponentAttr(), symbolTable);
  if (!component ||
      failed(verifySides(*this, component, getInput(), getOutput())))
    return failure();
  if (!has(component.getComponentProperties(),
           ComponentProperties::StoresStats))
    return emitOpError("component stores no statistics");
  return success();
}

LogicalResult BackpropOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  ComponentOpInterface component =
      lookupComponent(*this, getComponentAttr(), symbolTable);
  if (!component ||
      failed(
          verifySides(*this, component, getInputValue(), getOutputValue())) ||
      failed(verifySides(*this, component, getInputDeriv(), getOutputDeriv())))
    return failure();
  ComponentProperties properties = component.getComponentProperties();
  if (!getInputValue() &&
      has(properties, ComponentProperties::BackpropNeedsInput))
    return emitOpError("component needs its input value");
  if (!getOutputValue() &&
      has(properties, ComponentProperties::BackpropNeedsOutput))
    return emitOpError("component needs its output value");
  if (!getInputDeriv() && !has(properties, ComponentProperties::Updatable))
    return emitOpError("computes nothing: component is not updatable and no "
                       "input derivative is wanted");
  if (getMemo() && !has(properties, ComponentProperties::UsesMemo))
    return emitOpError("component has no memo");
  return success();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

LogicalResult LoopOp::verify() {
  if (getBody().getArgumentTypes() != getInits().getTypes())
    return emitOpError("expects one body argument per initial matrix");
  Block &block = getBody().front();
  auto yield = block.empty() ? YieldOp() : dyn_cast<YieldOp>(block.back());
  if (!yield)
    return emitOpError("expects a nnet3.yield at the end of its body");
  if (yield.getValues().getTypes() != getInits().getTypes()) {
    InFlightDiagnostic diag =
        yield.emitOpError("expects the types of the loop's initial matrices");
    diag.attachNote(getLoc()) << "loop is here";
    return diag;
  }
  return success();
}
