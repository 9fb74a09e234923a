//===- RowLowering.h - The code of kernel.map_rows --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_ROWLOWERING_H
#define NNET3_CONVERSION_KERNELTOVECTOR_ROWLOWERING_H

#include "nnet3/Conversion/KernelToVector/Lanes.h"
#include "nnet3/Conversion/KernelToVector/RowAddresses.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/IR/IRMapping.h"

namespace mlir::nnet3::kernel {

/// Emits the code of the region of an operation on rows, independently of how
/// columns are mapped to vector lanes or threads. A thread has a single lane.
/// With several lanes, the values of consecutive columns are the lanes of a
/// vector, and an index value holds the index of the first lane.
class RowCode {
public:
  RowCode(Operation *op, OpBuilder &builder)
      : region(op->getRegion(0)), b(op->getLoc(), builder) {}
  virtual ~RowCode() = default;

  /// Finds the memory and offsets of `views`, which the arguments of the region
  /// stand for. Emits an error at the operation if one is not supported.
  LogicalResult initialize(ValueRange views);

protected:
  /// Maps the region's arguments to row `row`, and the first argument to
  /// `index`.
  void setRow(Value row, Value index);
  virtual void emit(Operation *inner);
  void emit(Block &block);
  void emit(scf::ForOp loop);
  void emit(memref::LoadOp load);
  void emit(memref::StoreOp store);
  void emit(memref::DimOp dim);
  SmallVector<Value> getYielded(Block &block);
  /// Emits a loop that adds up the results of `terms`, values of `types`, for
  /// `begin`, ..., `end` - 1. The sums are f64.
  SmallVector<Value> sumOver(Value begin, Value end, TypeRange types,
                             function_ref<SmallVector<Value>(Value)> terms);

  /// Extends f32 values to f64.
  Value widen(Value values);
  /// Returns the lowered form of a value; an arbitrary value after a failure.
  Value lookup(Value value);
  /// Returns `value` with all lanes; broadcasts a scalar.
  Value inLanes(Value value);
  Type inLanes(Type scalar);
  /// The f32 `value` in all lanes.
  Value splat(float value);
  /// The difference between neighbouring lanes of an index.
  int64_t getStep(Value index) const { return steps.lookup(index); }
  /// Whether scalable vectors can hold the values of `block`, in which `column`
  /// is the column: all its loads must be of consecutive columns.
  bool canScale(Block &block, Value column);
  void fail(Operation *inner, StringRef message);

  /// The row or rows that an argument of a region stands for.
  struct Row {
    Value memory, offset;
    int64_t stride = 0; ///< between several rows
    Value numRows;      ///< number of rows of a range in a table
  };

  Region &region;
  ImplicitLocOpBuilder b;
  Lanes lanes;
  DenseMap<Value, Row> rows;
  IRMapping mapping;
  DenseMap<Value, int64_t> steps;
  bool hasFailed = false;

private:
  /// The offsets of an operand's rows: with a constant stride, or in a table.
  struct Operand {
    Value memory, begin;
    int64_t stride = 0;
    Value table, count; ///< for ranges of rows
  };

  Row getRow(const Operand &operand, BlockArgument argument, Value row);
  Value getEntry(Value table, Value entry);
  void emitScalar(Operation *inner);
  Value getOffset(Value memory, ValueRange indices);
  int64_t computeStep(Operation *inner);

  SmallVector<Operand> operands;
};

/// The code of `kernel.map_rows`.
class RowLowering : public RowCode {
public:
  RowLowering(MapRowsOp op, OpBuilder &builder)
      : RowCode(op, builder), op(op) {}

  LogicalResult initialize() { return RowCode::initialize(op->getOperands()); }
  /// Emits the code of a part of a row; emits an error at operations that
  /// targets do not support.
  LogicalResult emitRow(Value row, Value part);

protected:
  using ColumnBody = function_ref<Value(Value column)>;

  /// Properties of a loop over columns.
  struct ColumnLoop {
    /// Largest number of accumulators of a `kernel.sum_rows` in the loop.
    unsigned numSums = 0;
    /// Whether the target has scalable vectors and the loop can use them.
    bool canScale = false;
  };

  /// Emits a loop with `body` over columns 0, ..., `count` - 1.
  virtual void forEach(int64_t count, function_ref<void(Value)> body,
                       ColumnLoop loop) = 0;
  /// Emits such a loop for each of `blocks` blocks of columns; the lanes of a
  /// vector are columns of one block.
  virtual void forEachOf(int64_t blocks, int64_t count,
                         function_ref<void(Value, Value)> body,
                         ColumnLoop loop) = 0;
  virtual bool hasScalableVectors() const { return false; }
  virtual Value sum(int64_t count, ColumnBody body) = 0;
  virtual Value max(int64_t count, ColumnBody body) = 0;
  /// The sum of `body` over columns `begin`, ..., `end` - 1, in f64.
  virtual Value sumRange(Value begin, Value end, int64_t typical,
                         ColumnBody body);
  /// `number` dot products; `body` returns the two factors of a column.
  virtual SmallVector<Value>
  dots(unsigned number, int64_t count,
       function_ref<std::pair<Value, Value>(unsigned, Value)> body) = 0;
  virtual SmallVector<Value> softmax(ArrayRef<Value> numbers) = 0;

  /// Adds the values of `body` for columns `begin`, ..., `end` - 1 to `sums`,
  /// an f64 for each lane.
  Value addColumns(Value begin, Value end, Value sums, ColumnBody body);

  MapRowsOp op;

private:
  void emit(Operation *inner) override;
  using RowCode::emit;
  void emit(ForColumnsOp loop);
  void emit(ReduceColumnsOp reduction);
  void emit(DotColumnsOp products);
  void emit(SumRangeOp sum);
  void emit(SumRowsOp sum);
  void emit(kernel::SoftmaxOp numbers);
  void emitOperands(Operation *inner, DenseSet<Operation *> &emitted);
  /// Emits the region of an operation for `column`, and returns the values that
  /// it yields.
  Value emitColumn(Region &region, Value column);
};

/// The code of `kernel.reduce_rows`.
class SumCode : public RowCode {
public:
  SumCode(ReduceRowsOp op, OpBuilder &builder) : RowCode(op, builder), op(op) {}

  LogicalResult initialize();

protected:
  /// Returns the first row of slice `slice` and the end of its rows. With
  /// several blocks of columns, each block counts as a row.
  std::pair<Value, Value> getRows(Value slice);
  /// Emits the terms of row `row` for each sum in column `column`.
  SmallVector<Value> emitTerms(Value row, Value column);
  /// Stores element (`slice`, `column`) of each output, or adds to it.
  void store(ValueRange sums, Value slice, Value column);

  ReduceRowsOp op;

private:
  SmallVector<RowAddresses> outputs;
};

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOVECTOR_ROWLOWERING_H
