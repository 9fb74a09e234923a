//===- RowLowering.h - The code of kernel.map_rows --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_ROWLOWERING_H
#define NNET3_CONVERSION_KERNELTOVECTOR_ROWLOWERING_H

#include "nnet3/Conversion/KernelToVector/VectorEmitter.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/IR/IRMapping.h"

namespace mlir::nnet3::kernel {

/// Creates the code of the region of `kernel.map_rows`, whoever goes over the
/// columns of a row: the lanes of vectors, or threads, of which each has one
/// lane. In a loop over columns, numbers of neighbouring columns are the lanes
/// of a vector; an index value holds the index of the first lane.
class RowLowering {
public:
  RowLowering(MapRowsOp op, OpBuilder &builder)
      : op(op), e(builder, op.getLoc(), /*scalars=*/true) {}
  virtual ~RowLowering() = default;

  /// Finds where the operands are. Fails with an error of the operation.
  LogicalResult initialize();
  /// Creates the code of a part of a row; fails with an error of what targets
  /// do not compute.
  LogicalResult emitRow(Value row, Value part);

protected:
  using ColumnBody = function_ref<Value(Value column)>;

  /// Calls `body` for columns 0, ..., `count` - 1. It keeps `numSums` results
  /// of `kernel.sum_rows`.
  virtual void forEach(int64_t count, function_ref<void(Value)> body,
                       unsigned numSums) = 0;
  /// The same for each of `blocks` blocks; lanes are columns of one block.
  virtual void forEachOf(int64_t blocks, int64_t count,
                         function_ref<void(Value, Value)> body) = 0;
  virtual Value sum(int64_t count, ColumnBody body) = 0;
  virtual Value max(int64_t count, ColumnBody body) = 0;
  /// The sum of columns `begin`, ..., `end` - 1, in f64.
  virtual Value sumRange(Value begin, Value end, int64_t typical,
                         ColumnBody body);
  /// `number` sums of products of the factors that `body` gives.
  virtual SmallVector<Value>
  dots(unsigned number, int64_t count,
       function_ref<std::pair<Value, Value>(unsigned, Value)> body) = 0;
  virtual SmallVector<Value> softmax(ArrayRef<Value> numbers) = 0;

  OpBuilder &getBuilder() { return e.getBuilder(); }
  Location getLoc() { return e.getLoc(); }
  /// As f64.
  Value widen(Value values);
  /// What `body` gives for columns `begin`, ..., `end` - 1, added to `sums`,
  /// the f64 of each lane.
  Value addColumns(Value begin, Value end, Value sums, ColumnBody body);

  MapRowsOp op;
  VectorEmitter e;
  int64_t lanes = 1;

private:
  /// Where the rows of an operand are: at equal distances, or in a table.
  struct Operand {
    Value memory, begin;
    int64_t stride = 0;
    Value table, count; ///< of ranges
  };
  /// The row, or the rows, that an argument of a region stands for.
  struct Row {
    Value memory, offset;
    int64_t stride = 0; ///< of several rows
    Value numRows;      ///< of rows that a table lists
  };

  Row getRow(const Operand &operand, BlockArgument argument, Value row);
  Value getEntry(Value table, Value entry);
  void emit(Block &block);
  void emit(Operation *inner);
  void emit(ForColumnsOp loop);
  void emit(ReduceColumnsOp reduction);
  void emit(DotColumnsOp products);
  void emit(SumRangeOp sum);
  void emit(SumRowsOp sum);
  void emit(scf::ForOp loop);
  void emit(memref::LoadOp load);
  void emit(memref::StoreOp store);
  void emit(memref::DimOp dim);
  void emitScalar(Operation *inner);
  void emitOperands(Operation *inner, DenseSet<Operation *> &emitted);
  /// Emits the region of an operation with one index for `column`, and returns
  /// the values that it yields.
  Value emitColumn(Region &region, Value column);
  SmallVector<Value> addRows(SumRowsOp sum, Value begin, Value end,
                             int64_t size, ArrayRef<Value> sums);
  SmallVector<Value> sumGroup(SumRowsOp sum, Value offset, int64_t count);

  Value getOffset(Value memory, ValueRange indices);
  /// How far the lanes of an index are apart.
  int64_t getStep(Value index) const { return steps.lookup(index); }
  int64_t computeStep(Operation *inner);
  /// The lowered form of a value; any value after the lowering has failed.
  Value lookup(Value value);
  /// All lanes, also of a number that is the same for all of them.
  Value inLanes(Value value);
  SmallVector<Value> getYielded(Block &block);
  void fail(Operation *inner, StringRef message);

  SmallVector<Operand> operands;
  DenseMap<Value, Row> rows;
  IRMapping mapping;
  DenseMap<Value, int64_t> steps;
  bool hasFailed = false;
};

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOVECTOR_ROWLOWERING_H
