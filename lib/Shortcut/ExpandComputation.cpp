//===- ExpandComputation.cpp - Expanding two sequences to many ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: shortcut.md 5. Commands, columns and components stay the same. Numbers
// of rows, offsets of views and row tables change.
//
//===----------------------------------------------------------------------===//

#include "nnet3/Shortcut/ExpandComputation.h"
#include "ExpandRowTable.h"
#include "nnet3/Dialect/Nnet3/Analysis/ComponentTable.h"
#include "nnet3/Dialect/Nnet3/Analysis/MatrixWindow.h"
#include "nnet3/Dialect/Nnet3/IR/DebugInfo.h"
#include "nnet3/Shortcut/RequestStride.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nnet3;
using P = ComponentProperties;

namespace {
class Expander {
public:
  Expander(OpBuilder &builder, ComputationOp mini, int64_t numSequences,
           std::string &reason)
      : builder(builder), mini(mini), map(numSequences), reason(reason),
        components(mini) {}

  ComputationOp run();

private:
  LogicalResult fail(Operation *op, const Twine &why);
  LogicalResult expand(Operation *op);
  LogicalResult expandDefinition(Operation *op);
  LogicalResult expandView(SubMatrixOp view);
  LogicalResult expandRanges(AddRowRangesOp op);
  LogicalResult expandTable(Operation *op, Value driver, ValueRange sources);
  LogicalResult expandComponent(Operation *op, SymbolRefAttr component,
                                ArrayRef<Value> operands);
  LogicalResult precompute(Operation *op, SymbolRefAttr component,
                           Operation *copy);
  LogicalResult checkAligned(Operation *op, ArrayRef<Value> operands);
  LogicalResult clone(Operation *op);

  SequenceRows getRows(Value value) const;
  int64_t getStride(Operation *op) const;
  Type expandType(Type type) const;
  std::optional<IndexRows> expandIndexes(Attribute attr) const;

  OpBuilder &builder;
  ComputationOp mini;
  SequenceMap map;
  std::string &reason;
  ComponentTable components;
  IRMapping values;
  /// The stride of each matrix (the rows of one sequence in a block).
  DenseMap<Value, int64_t> strides;
};
} // namespace

LogicalResult Expander::fail(Operation *op, const Twine &why) {
  llvm::raw_string_ostream(reason)
      << "'" << op->getName() << "' of the computation for two sequences "
      << why;
  return failure();
}

SequenceRows Expander::getRows(Value value) const {
  MatrixWindow window = MatrixWindow::get(value);
  return {strides.at(window.matrix), window.matrixRows(), window.row,
          window.rows};
}

LogicalResult Expander::clone(Operation *op) {
  builder.clone(*op, values);
  return success();
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

/// Returns the stride of the matrix that `op` yields; 0 if it is unknown. A
/// compressed matrix has the stride of its source. Passes that drop rows of a
/// matrix keep its list of indexes up to date.
int64_t Expander::getStride(Operation *op) const {
  std::string why;
  if (auto indexes = op->getAttrOfType<IndexesAttr>(kDebugIndexesAttr))
    return findSequenceStride(indexes, why).value_or(SequenceStride()).stride;
  if (auto attr = op->getAttrOfType<IntegerAttr>(kSequenceStrideAttr))
    return attr.getInt();
  if (isa<CompressMatrixOp, DecompressMatrixOp>(op))
    return strides.lookup(op->getOperand(0));
  return 0;
}

/// Returns the type of a matrix or compressed matrix with all sequences.
Type Expander::expandType(Type type) const {
  if (auto matrix = dyn_cast<MemRefType>(type))
    return MemRefType::get(
        {map.size(matrix.getDimSize(0)), matrix.getDimSize(1)},
        matrix.getElementType());
  auto compressed = cast<CompressedType>(type);
  return CompressedType::get(type.getContext(), map.size(compressed.getRows()),
                             compressed.getCols(), compressed.getElementType());
}

/// Expands a command that yields a matrix or a compressed matrix.
LogicalResult Expander::expandDefinition(Operation *op) {
  Value result = op->getResult(0);
  int64_t stride = getStride(op);
  if (stride == 0)
    return fail(op, "has the rows of its sequences in no regular order");
  if (auto type = dyn_cast<MemRefType>(result.getType());
      type && type.getDimSize(0) % (2 * stride) != 0)
    return fail(op, "has not as many rows of both");
  strides[result] = stride;
  Operation *copy = builder.clone(*op, values);
  copy->getResult(0).setType(expandType(result.getType()));
  copy->removeAttr(kSequenceStrideAttr);
  if (auto indexes = op->getAttrOfType<IndexesAttr>(kDebugIndexesAttr))
    copy->setAttr(
        kDebugIndexesAttr,
        IndexesAttr::get(
            op->getContext(),
            withSequences(indexes, stride, map.getNumSequences()).expand()));
  return success();
}

LogicalResult Expander::expandView(SubMatrixOp view) {
  SequenceRows rows = getRows(view.getResult());
  SequenceRows source = getRows(view.getSource());
  if (rows.sequenceOf(rows.begin) != 0 || rows.sequenceOf(rows.end() - 1) != 1)
    return fail(view, "does not go from the first sequence to the last");
  int64_t offset = map.mapBegin(rows) - map.mapBegin(source);
  auto type = cast<MemRefType>(view.getType());
  auto copy = SubMatrixOp::create(
      builder, view.getLoc(), values.lookup(view.getSource()), offset,
      map.mapCount(rows), view.getColOffset(), type.getDimSize(1));
  values.map(view.getResult(), copy.getResult());
  return success();
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Checks a command that maps each row of one matrix to the same row of the
/// others.
LogicalResult Expander::checkAligned(Operation *op, ArrayRef<Value> operands) {
  std::optional<SequenceRows> first;
  for (Value operand : operands) {
    if (!operand)
      continue;
    SequenceRows rows = getRows(operand);
    if (first && !rows.isAlignedWith(*first))
      return fail(op, "takes rows of one sequence to rows of the other");
    first = rows;
  }
  return success();
}

LogicalResult Expander::expandTable(Operation *op, Value driver,
                                    ValueRange sources) {
  SmallVector<SequenceRows> sourceRows;
  for (Value source : sources)
    sourceRows.push_back(getRows(source));
  auto rows = op->getAttrOfType<RowTableAttr>("rows");
  RowTableAttr expanded =
      expandRowTable(rows, getRows(driver), sourceRows, map);
  if (!expanded)
    return fail(op, "has a table that is not the same for both");
  builder.clone(*op, values)->setAttr("rows", expanded);
  return success();
}

LogicalResult Expander::expandRanges(AddRowRangesOp op) {
  std::optional<RangeTables> expanded =
      ::expandRanges({op.getBegin(), op.getEnd(), int64_t(op.getStep())},
                     getRows(op.getDest()), getRows(op.getSource()), map);
  if (!expanded)
    return fail(op, "sums rows that are not the same for both, or not equally "
                    "spaced with more");
  auto copy = cast<AddRowRangesOp>(builder.clone(*op, values));
  copy.setBeginAttr(expanded->begin);
  copy.setEndAttr(expanded->end);
  copy.setStep(expanded->step);
  return success();
}

//===----------------------------------------------------------------------===//
// Components
//===----------------------------------------------------------------------===//

std::optional<IndexRows> Expander::expandIndexes(Attribute attr) const {
  std::string why;
  auto indexes = cast<IndexesAttr>(attr);
  std::optional<SequenceStride> stride = findSequenceStride(indexes, why);
  if (!stride)
    return std::nullopt;
  return withSequences(indexes, stride->stride, map.getNumSequences());
}

/// Computes the kernel's row-dependent data again for the expanded rows.
LogicalResult Expander::precompute(Operation *op, SymbolRefAttr component,
                                   Operation *copy) {
  auto from = op->getAttrOfType<DictionaryAttr>(kPrecomputedFromAttr);
  if (!from)
    return fail(op, "does not say which rows it is for");
  auto input = expandIndexes(from.get(kInputIndexes));
  auto output = expandIndexes(from.get(kOutputIndexes));
  if (!input || !output)
    return fail(op, "has the rows of its sequences in no regular order");
  copy->setAttr("precomputed",
                components.find(component).precomputeIndexes(
                    *input, *output, from.contains(kNeedsBackprop)));
  copy->removeAttr(kPrecomputedFromAttr);
  return success();
}

LogicalResult Expander::expandComponent(Operation *op, SymbolRefAttr component,
                                        ArrayRef<Value> operands) {
  if (has(components.getProperties(component), P::Simple)) {
    if (failed(checkAligned(op, operands)))
      return failure();
  } else {
    for (Value operand : operands)
      if (operand && !getRows(operand).hasWholeBlocks())
        return fail(op, "has a part of the rows of a sequence");
  }
  Operation *copy = builder.clone(*op, values);
  if (!op->hasAttr("precomputed"))
    return success();
  return precompute(op, component, copy);
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

LogicalResult Expander::expand(Operation *op) {
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case<AllocMatrixZeroedOp, AllocMatrixUndefinedOp, AcceptInputOp,
            MoveMatrixOp, CompressMatrixOp, DecompressMatrixOp>(
          [&](auto op) { return expandDefinition(op); })
      .Case([&](SubMatrixOp op) { return expandView(op); })
      .Case<MatrixCopyOp, MatrixAddOp>([&](auto op) {
        if (failed(checkAligned(op, {op.getSource(), op.getDest()})))
          return failure();
        return clone(op);
      })
      .Case<CopyRowsOp, AddRowsOp>([&](auto op) {
        return expandTable(op, op.getDest(), op.getSource());
      })
      .Case<CopyRowsMultiOp, AddRowsMultiOp>([&](auto op) {
        return expandTable(op, op.getDest(), op.getSources());
      })
      .Case<CopyToRowsMultiOp, AddToRowsMultiOp>([&](auto op) {
        return expandTable(op, op.getSource(), op.getDests());
      })
      .Case([&](AddRowRangesOp op) { return expandRanges(op); })
      .Case<PropagateOp, StoreStatsOp>([&](auto op) {
        return expandComponent(op, op.getComponent(),
                               {op.getInput(), op.getOutput()});
      })
      .Case([&](BackpropOp op) {
        return expandComponent(op, op.getComponent(),
                               {op.getInputValue(), op.getOutputValue(),
                                op.getOutputDeriv(), op.getInputDeriv()});
      })
      .Case<SetConstOp, DeallocMatrixOp, ProvideOutputOp, NoOperationOp,
            NoOperationPermanentOp, NoOperationMarkerOp>(
          [&](auto op) { return clone(op); })
      .Default([&](Operation *op) {
        return fail(op, "is of a kind that cannot be expanded");
      });
}

ComputationOp Expander::run() {
  auto expanded =
      cast<ComputationOp>(builder.cloneWithoutRegions(*mini.getOperation()));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&expanded.getBody().emplaceBlock());
  for (Operation &op : mini.getBody().front())
    if (failed(expand(&op))) {
      expanded.erase();
      return nullptr;
    }
  return expanded;
}

ComputationOp mlir::nnet3::expandComputation(OpBuilder &builder,
                                             ComputationOp mini,
                                             int64_t numSequences,
                                             std::string &reason) {
  return Expander(builder, mini, numSequences, reason).run();
}
