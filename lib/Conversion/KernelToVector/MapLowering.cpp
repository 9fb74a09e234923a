//===- MapLowering.cpp - kernel.map as loops over vectors -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lowerings.h"
#include "RegionOnVectors.h"
#include "nnet3/Conversion/KernelToVector/RowAddresses.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

namespace {

struct MapLowering : public OpRewritePattern<MapOp> {
  MapLowering(MLIRContext *context, TargetAttr target)
      : OpRewritePattern(context), target(target) {}
  LogicalResult matchAndRewrite(MapOp op,
                                PatternRewriter &rewriter) const override;

private:
  TargetAttr target;
};

/// Emits the loops of one operation.
class MapEmitter {
public:
  MapEmitter(MapOp op, OpBuilder &builder, int64_t vectorLength)
      : op(op), e(builder, op.getLoc()), vectorLength(vectorLength) {}

  LogicalResult initialize();
  void emit();

private:
  void emitOutputs(size_t next, Value row);
  void emitInputs(size_t next, Value row);
  Value load(size_t input, Value column, int64_t length);
  void emitVector(Value column, int64_t length);
  Value getInputRow(size_t input, Value row);

  MapOp op;
  VectorEmitter e;
  int64_t vectorLength;
  SmallVector<RowAddresses> inputs, outputs;
  /// Of the row that is computed: the offsets of its inputs, null for an
  /// absent one, and of its outputs.
  SmallVector<Value> from, to;
};

} // namespace

LogicalResult MapEmitter::initialize() {
  auto collect = [&](ValueRange views, SmallVector<RowAddresses> &rows) {
    for (Value view : views) {
      auto found = RowAddresses::get(e, op, view);
      if (failed(found))
        return failure();
      rows.push_back(*found);
    }
    return success();
  };
  from.resize(op.getInputs().size());
  to.resize(op.getOutputs().size());
  return success(succeeded(collect(op.getInputs(), inputs)) &&
                 succeeded(collect(op.getOutputs(), outputs)));
}

Value MapEmitter::load(size_t input, Value column, int64_t length) {
  if (!from[input])
    return e.splat(length, 0);
  Value memory = inputs[input].getMemory();
  Type type = op.getInputs()[input].getType();
  if (isMatrixView(type) && getShape(type).second == 1 &&
      op.getNumColumns() != 1)
    return e.broadcast(length, e.loadScalar(memory, from[input]));
  return e.load(length, memory, e.add(from[input], column));
}

/// Loads everything before it stores anything: an output may be an input.
void MapEmitter::emitVector(Value column, int64_t length) {
  SmallVector<Value> values;
  for (size_t i = 0; i < inputs.size(); ++i)
    values.push_back(load(i, column, length));
  SmallVector<Value> results =
      computeOnVectors(e.getBuilder(), op.getBody(), values, length);
  for (auto [rows, offset, result] : llvm::zip_equal(outputs, to, results)) {
    Value place = e.add(offset, column);
    if (op.getAccumulate())
      result = arith::AddFOp::create(e.getBuilder(), e.getLoc(),
                                     e.load(length, rows.getMemory(), place),
                                     result);
    e.store(result, rows.getMemory(), place);
  }
}

Value MapEmitter::getInputRow(size_t input, Value row) {
  Type type = op.getInputs()[input].getType();
  if (isMatrixView(type)) {
    const int64_t rows = getShape(type).first;
    if (rows == 1)
      row = e.index(0);
    else if (rows < op.getNumRows())
      row = e.remainder(row, rows);
  }
  return inputs[input].getRow(e, row);
}

/// The row for the inputs from `next` on, each where it is present and where it
/// is not, and then its columns.
void MapEmitter::emitInputs(size_t next, Value row) {
  if (next == inputs.size())
    return forEachVector(
        e, op.getNumColumns(), vectorLength,
        [&](Value column, int64_t length) { emitVector(column, length); });
  Value offset = from[next] = getInputRow(next, row);
  auto present = [&] { emitInputs(next + 1, row); };
  auto absent = [&] {
    from[next] = Value();
    emitInputs(next + 1, row);
  };
  if (!inputs[next].hasTable())
    present();
  else if (op.getAccumulate())
    ifPresent(e, offset, present);
  else
    ifPresent(e, offset, present, absent);
}

/// The row for the outputs from `next` on, if all of them are present.
void MapEmitter::emitOutputs(size_t next, Value row) {
  if (next == outputs.size())
    return emitInputs(0, row);
  to[next] = outputs[next].getRow(e, row);
  auto present = [&] { emitOutputs(next + 1, row); };
  if (outputs[next].hasTable())
    ifPresent(e, to[next], present);
  else
    present();
}

void MapEmitter::emit() {
  e.forEach(op.getNumRows(), 1, [&](Value row) { emitOutputs(0, row); });
}

LogicalResult MapLowering::matchAndRewrite(MapOp op,
                                           PatternRewriter &rewriter) const {
  MapEmitter emitter(op, rewriter, target.getVectorLength());
  if (failed(emitter.initialize()))
    return failure();
  emitter.emit();
  rewriter.eraseOp(op);
  return success();
}

void mlir::nnet3::kernel::addMapLowering(RewritePatternSet &patterns,
                                         TargetAttr target) {
  patterns.add<MapLowering>(patterns.getContext(), target);
}
