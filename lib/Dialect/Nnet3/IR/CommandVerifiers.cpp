//===- CommandVerifiers.cpp - Verifiers of commands -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PrecomputedVerifier.h"

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"
#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"
#include "nnet3/Dialect/Nnet3/IR/PrecomputedTimes.h"

using namespace mlir;
using namespace mlir::nnet3;

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

/// Verifies the type of a whole matrix: contiguous rows.
static LogicalResult verifyWholeType(Operation *op, MemRefType type) {
  if (!type.getLayout().isIdentity())
    return op->emitOpError("expects a whole matrix, but got ") << type;
  return success();
}

/// Verifies that a value is a whole matrix, not a view of one.
static LogicalResult verifyWholeMatrix(Operation *op, Value value) {
  if (value.getDefiningOp<ViewLikeOpInterface>())
    return op->emitOpError("expects a whole matrix, but got a sub-matrix");
  return verifyWholeType(op, cast<MemRefType>(value.getType()));
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

/// Verifies that the rows and columns of a view are inside its source.
static LogicalResult verifyWindow(Operation *op, Value source, Value view,
                                  int64_t row, int64_t col) {
  auto inRange = [&](int64_t first, int64_t size, int64_t limit) {
    return first >= 0 && first <= limit && size <= limit - first;
  };
  if (inRange(row, numRows(view), numRows(source)) &&
      inRange(col, numCols(view), numCols(source)))
    return success();
  return op->emitOpError("a ")
         << numRows(view) << "x" << numCols(view) << " view at [" << row << ", "
         << col << "] is outside the source's " << numRows(source) << "x"
         << numCols(source);
}

/// Verifies that the source of a view is not a moving view.
static LogicalResult verifyStill(Operation *op, const MatrixLayout &layout) {
  if (layout.isMoving())
    return op->emitOpError("expects a source that does not move");
  return success();
}

LogicalResult SubMatrixOp::verify() {
  MatrixLayout layout = *MatrixLayout::get(getSource().getType());
  int64_t row = getRowOffset(), col = getColOffset();
  if (failed(verifyStill(*this, layout)) ||
      failed(verifyWindow(*this, getSource(), getResult(), row, col)))
    return failure();
  layout.offset += row * layout.stride + col;
  if (!(MatrixLayout::get(getType()) == layout))
    return emitOpError("expects a result with the source's strides and offset ")
           << layout.offset << ", but got " << getType();
  return success();
}

/// Returns the loop whose iteration is `round`; null after an error.
static LoopOp getLoop(Operation *op, Value round) {
  auto argument = dyn_cast<BlockArgument>(round);
  auto loop = argument ? dyn_cast<LoopOp>(argument.getOwner()->getParentOp())
                       : LoopOp();
  if (!loop)
    op->emitOpError("expects the round of a loop");
  return loop;
}

/// Maximum distance between iterations. Its product with the number of
/// iterations fits 64 bits.
static constexpr int64_t kMaxStep = std::numeric_limits<int32_t>::max();

LogicalResult MovingSubMatrixOp::verify() {
  MatrixLayout layout = *MatrixLayout::get(getSource().getType());
  if (failed(verifyStill(*this, layout)))
    return failure();
  LoopOp loop = getLoop(*this, getRound());
  if (!loop)
    return failure();
  int64_t step = getRowStep();
  if (step < -kMaxStep || step > kMaxStep)
    return emitOpError("moves by ") << step << " rows, more than a matrix has";
  for (int64_t last : {int64_t(0), int64_t(loop.getCount()) - 1})
    if (failed(verifyWindow(*this, getSource(), getResult(),
                            getRowOffset() + step * last, getColOffset())))
      return failure();
  layout.offset = ShapedType::kDynamic;
  if (!(MatrixLayout::get(getType()) == layout))
    return emitOpError("expects a result with the source's strides and an "
                       "offset of '?', but got ")
           << getType();
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
  if (!(getRange().convertToFloat() >= 0))
    return emitOpError("expects a range that is not negative, but got ")
           << getRangeAttr();
  return verifyCompression(*this, getMatrix().getType(), getType());
}

LogicalResult DecompressMatrixOp::verify() {
  if (failed(verifyWholeType(*this, getType())))
    return failure();
  return verifyCompression(*this, getType(), getCompressed().getType());
}

//===----------------------------------------------------------------------===//
// Computations, input and output
//===----------------------------------------------------------------------===//

/// Verifies that every op of `body` is a command.
static LogicalResult verifyCommands(Operation *op, Region &body) {
  for (Operation &command : body.front())
    if (!command.hasTrait<CommandPhase>())
      return command.emitOpError("does not belong in ") << op->getName();
  return success();
}

LogicalResult ComputationOp::verifyRegions() {
  if (getBody().getNumArguments() != 0)
    return emitOpError("expects a body without arguments");
  return verifyCommands(*this, getBody());
}

LogicalResult
ComputationOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  if (!symbolTable.lookupNearestSymbolFrom<NetworkOp>(*this, getNetworkAttr()))
    return emitOpError("refers to an undefined network ") << getNetworkAttr();
  return success();
}

/// Verifies that `matrix` has the columns of the network's node `name`.
static LogicalResult verifyNode(Operation *op, StringRef name, Value matrix,
                                SymbolTableCollection &symbolTable) {
  auto computation = op->getParentOfType<ComputationOp>();
  auto network = symbolTable.lookupNearestSymbolFrom<NetworkOp>(
      computation, computation.getNetworkAttr());
  if (!network) // Reported for the computation.
    return failure();
  for (Operation &node : network.getBody().front()) {
    auto nodeName = node.getAttrOfType<StringAttr>("name");
    if (!nodeName || nodeName.getValue() != name ||
        !isa<InputNodeOp, ComponentNodeOp, OutputNodeOp>(node))
      continue;
    Value rows =
        isa<OutputNodeOp>(node) ? node.getOperand(0) : Value(node.getResult(0));
    int64_t dim = cast<RowsType>(rows.getType()).getDim();
    if (dim == numCols(matrix))
      return success();
    InFlightDiagnostic diag = op->emitOpError("expects a matrix with ")
                              << dim << " columns, but got " << numCols(matrix);
    diag.attachNote(node.getLoc()) << "node is here";
    return diag;
  }
  return op->emitOpError("expects an input, component or output node, but the "
                         "network has none named '")
         << name << "'";
}

LogicalResult
AcceptInputOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  return verifyNode(*this, getNode(), getResult(), symbolTable);
}

LogicalResult
ProvideOutputOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  return verifyNode(*this, getNode(), getMatrix(), symbolTable);
}

//===----------------------------------------------------------------------===//
// Component commands
//===----------------------------------------------------------------------===//

/// Returns the component that a command names; emits an error if there is none.
static ComponentOpInterface
lookupComponent(Operation *op, SymbolRefAttr name,
                SymbolTableCollection &symbolTable) {
  auto computation = op->getParentOfType<ComputationOp>();
  auto component = dyn_cast_or_null<ComponentOpInterface>(
      symbolTable.lookupNearestSymbolFrom(computation, name));
  if (!component)
    op->emitOpError("refers to an undefined component ") << name;
  else if (name.getRootReference() != computation.getNetworkAttr().getAttr()) {
    op->emitOpError("expects a component of ")
        << computation.getNetworkAttr() << ", but got " << name;
    return {};
  }
  return component;
}

/// Verifies that `value` has `dim` columns, those of the component's input or
/// output.
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
  if (MatrixLayout::get(type)->stride != type.getDimSize(1))
    return op->emitOpError("expects ")
           << what << " whose rows are adjacent, but got " << type;
  return success();
}

/// Verifies values or derivatives on the input and output side of a component.
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
  SmallVector<Index> inputs;
  if (!getInput())
    component.getInputIndexes({0, 0, 0}, inputs);
  if (!inputs.empty())
    return emitOpError("expects an input, which the component reads");
  if (getInput() && getInput() == getOutput() &&
      !has(properties, ComponentProperties::PropagateInPlace))
    return emitOpError("component does not propagate in place");
  if (getMemo() && !has(properties, ComponentProperties::UsesMemo))
    return emitOpError("component has no memo");
  PrecomputedVerifier precomputed(*this, component, getPrecomputedAttr(),
                                  getInput() ? numRows(getInput()) : 0,
                                  numRows(getOutput()));
  return component.verifyPrecomputed(precomputed);
}

LogicalResult
StoreStatsOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  ComponentOpInterface component =
      lookupComponent(*this, getComponentAttr(), symbolTable);
  if (!component ||
      failed(verifySides(*this, component, getInput(), getOutput())))
    return failure();
  ComponentProperties properties = component.getComponentProperties();
  if (!has(properties, ComponentProperties::StoresStats))
    return emitOpError("component stores no statistics");
  if (getMemo() && !has(properties, ComponentProperties::UsesMemo))
    return emitOpError("component has no memo");
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
  if (getInputDeriv() == getOutputDeriv() &&
      !has(properties, ComponentProperties::BackpropInPlace))
    return emitOpError("component does not backpropagate in place");
  if (getMemo() && !has(properties, ComponentProperties::UsesMemo))
    return emitOpError("component has no memo");
  Value input = getInputDeriv() ? getInputDeriv() : getInputValue();
  PrecomputedVerifier precomputed(*this, component, getPrecomputedAttr(),
                                  input ? numRows(input) : 0,
                                  numRows(getOutputDeriv()));
  return component.verifyPrecomputed(precomputed);
}

LogicalResult BackpropOp::verify() {
  if (!getRound() && !getTimeStep())
    return success();
  if (!getRound() || !getTimeStep())
    return emitOpError("expects a round and a step of its time, or neither");
  LoopOp loop = getLoop(*this, getRound());
  if (!loop)
    return failure();
  std::optional<int64_t> first = getFirstTime(getPrecomputedAttr());
  if (!first)
    return emitOpError("expects a precomputed '") << kFirstTime << "'";
  const int64_t step = *getTimeStep();
  if (step < -kMaxStep || step > kMaxStep ||
      std::abs(step) * int64_t(loop.getCount()) > kMaxStep)
    return emitOpError("moves by ") << step << " frames in " << loop.getCount()
                                    << " rounds, more than there are";
  return success();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Verifies that a command is allowed in a loop: inputs, outputs, markers and
/// operations on whole matrices from outside are not.
static LogicalResult verifyInLoop(Operation *command) {
  if (isa<AcceptInputOp, ProvideOutputOp, NoOperationMarkerOp, LoopOp,
          ElidedRoundsOp, KeepRowsOp, CompressMatrixOp, DecompressMatrixOp,
          MoveMatrixOp>(command))
    return command->emitOpError("cannot be part of a loop");
  auto dealloc = dyn_cast<DeallocMatrixOp>(command);
  if (dealloc && dealloc.getMatrix().getParentBlock() != command->getBlock())
    return command->emitOpError("frees a matrix from outside of its loop");
  if (isa<AllocMatrixZeroedOp, AllocMatrixUndefinedOp>(command) &&
      llvm::none_of(command->getUsers(), llvm::IsaPred<DeallocMatrixOp>))
    return command->emitOpError("makes a matrix that its round does not free");
  return success();
}

LogicalResult LoopOp::verifyRegions() {
  if (getBody().getNumArguments() != 1 ||
      !getBody().getArgument(0).getType().isIndex())
    return emitOpError("expects a body with the round as its argument");
  if (failed(verifyCommands(*this, getBody())))
    return failure();
  for (Operation &command : getBody().front())
    if (failed(verifyInLoop(&command)))
      return failure();
  return success();
}
