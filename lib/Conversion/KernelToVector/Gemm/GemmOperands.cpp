//===- GemmOperands.cpp - Offsets of a matmul's operands ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GemmOperands.h"
#include "nnet3/Conversion/KernelToVector/RowAddresses.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

namespace {

/// Collects the operands of one operation.
class Collector {
public:
  Collector(ImplicitLocOpBuilder &b, GemmOp op, GemmOperands &result)
      : b(b), op(op), result(result) {}

  LogicalResult collect();

private:
  FailureOr<RowAddresses> get(Value view, Value &memory);
  FailureOr<Value> getFirst(Value view, Value &memory);
  LogicalResult collectInputs();
  LogicalResult collectInit();
  LogicalResult collectEpilogue();

  ImplicitLocOpBuilder &b;
  GemmOp op;
  GemmOperands &result;
};

} // namespace

/// Returns the rows of `view`; fails if `memory` is set and not its memory.
FailureOr<RowAddresses> Collector::get(Value view, Value &memory) {
  auto rows = RowAddresses::get(b, op, view);
  if (failed(rows))
    return failure();
  if (memory && memory != rows->getMemory())
    return op.emitOpError("expects all matrices in one arena");
  memory = rows->getMemory();
  return rows;
}

/// Returns the offset of row 0 of `view`; null without a view.
FailureOr<Value> Collector::getFirst(Value view, Value &memory) {
  if (!view)
    return Value();
  auto rows = get(view, memory);
  if (failed(rows))
    return failure();
  return rows->getFirst(b);
}

LogicalResult Collector::collectInputs() {
  for (auto [view, first] :
       llvm::zip_equal(op.getInputs(), op.getPanelRows())) {
    auto rows = get(view, result.arena);
    if (failed(rows))
      return failure();
    GemmInput input = {first, getShape(view.getType()).second, std::nullopt};
    if (Value table = rows->getTable()) {
      if (result.table && result.table != table)
        return op.emitOpError("expects the rows of all inputs in one table");
      result.table = table;
    } else {
      input.stride = rows->getStride();
      input.columnStride = rows->getColumnStride();
    }
    result.shape.inputs.push_back(input);
    result.inputs.push_back(rows->getFirst(b));
  }
  return success();
}

LogicalResult Collector::collectInit() {
  if (!op.getInit())
    return success();
  auto rows = get(op.getInit(), result.arena);
  if (failed(rows))
    return failure();
  result.shape.initRows = op.getInit().getType().getDimSize(0);
  result.shape.initStride = result.shape.initRows == 1 ? 0 : rows->getStride();
  result.init = rows->getFirst(b);
  return success();
}

LogicalResult Collector::collectEpilogue() {
  result.epilogue = &op.getEpilogue();
  for (Value view : op.getEpilogueInputs()) {
    const bool isMatrix = isMatrixView(view.getType());
    Value any;
    auto rows = get(view, isMatrix ? result.arena : any);
    if (failed(rows))
      return failure();
    result.epilogueInputs.push_back(
        {{rows->getMemory(), rows->getFirst(b)},
         isMatrix ? std::optional(rows->getStride()) : std::nullopt});
  }
  return success();
}

LogicalResult Collector::collect() {
  GemmShape &shape = result.shape;
  auto output = get(op.getOutput(), result.arena);
  if (failed(output) || failed(collectInputs()) || failed(collectInit()))
    return failure();
  result.output = output->getFirst(b);
  shape.rows = op.getOutput().getType().getDimSize(0);
  shape.columns = op.getOutput().getType().getDimSize(1);
  shape.outputStride = output->getStride();
  shape.depth = op.getWeights().getType().getDimSize(1);
  shape.precision = op.getPrecision();
  shape.isParallel = op.getParallel();
  auto collectOne = [&](Value view, Value &memory, Value &first) {
    auto found = getFirst(view, memory);
    if (failed(found))
      return failure();
    first = *found;
    return success();
  };
  auto collectColumns = [&](Value view, GemmOperands::Columns &columns) {
    return collectOne(view, columns.memory, columns.offset);
  };
  if (failed(collectOne(op.getWeights(), result.weights, result.panels)) ||
      failed(collectColumns(op.getBias(), result.bias)) ||
      failed(collectEpilogue()) ||
      failed(collectOne(op.getScratch(), result.arena, result.scratch)) ||
      failed(collectColumns(op.getScales(), result.scales)) ||
      failed(collectColumns(op.getSums(), result.sums)))
    return failure();
  return success();
}

FailureOr<GemmOperands> GemmOperands::get(ImplicitLocOpBuilder &b, GemmOp op,
                                          TargetAttr target) {
  GemmOperands result;
  if (failed(Collector(b, op, result).collect()))
    return failure();
  const int64_t width = op.getWeights().getType().getDimSize(2);
  GemmShape &shape = result.shape;
  shape.target = target;
  const int64_t columns = target.getPanelVectorLength();
  const int64_t length = columns * shape.getRegistersPerVector();
  if (width % length != 0)
    return op.emitOpError("expects panels of whole vectors of ")
           << length << " columns, but got " << width << " columns";
  shape.tile = {int64_t(op.getTileRows()), width / columns};
  // The loop over a tile is unrolled, so its accumulators must fit.
  if (shape.tile.vectors > target.getVectorRegisters() ||
      shape.getTileRows() > target.getVectorRegisters() / shape.tile.vectors)
    return op.emitOpError("expects a tile that fits into ")
           << target.getVectorRegisters() << " vector registers, but got "
           << shape.getTileRows() << " rows of " << shape.tile.vectors
           << " vectors";
  if (Value scratch = op.getScratch())
    if (const int64_t size = cast<MemRefType>(scratch.getType()).getDimSize(0);
        size < shape.getScratchSize())
      return op.emitOpError("expects scratch memory of ")
             << shape.getScratchSize() << " words, but got " << size;
  return result;
}
