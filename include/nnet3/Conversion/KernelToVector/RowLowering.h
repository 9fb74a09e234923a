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

/// Creates the code of the region of an operation on rows, whoever goes over
/// the columns of a row: the lanes of vectors, or threads, of which each has
/// one lane. Where there are several, numbers of neighbouring columns are the
/// lanes of a vector; an index value holds the index of the first lane.
class RowCode {
public:
  RowCode(Operation *op, OpBuilder &builder)
      : region(op->getRegion(0)), b(op->getLoc(), builder) {}
  virtual ~RowCode() = default;

  /// Finds where `views` are, for which the region has arguments. Fails with an
  /// error of the operation.
  LogicalResult initialize(ValueRange views);

protected:
  /// Lets the region's arguments stand for row `row`, the first one for
  /// `index`.
  void setRow(Value row, Value index);
  virtual void emit(Operation *inner);
  void emit(Block &block);
  void emit(scf::ForOp loop);
  void emit(memref::LoadOp load);
  void emit(memref::StoreOp store);
  void emit(memref::DimOp dim);
  SmallVector<Value> getYielded(Block &block);
  /// The sums, in f64, of what `terms` gives for each of `begin`, ..., `end` -
  /// 1: numbers of these types.
  SmallVector<Value> sumOver(Value begin, Value end, TypeRange types,
                             function_ref<SmallVector<Value>(Value)> terms);

  /// As f64.
  Value widen(Value values);
  /// The lowered form of a value; any value after the lowering has failed.
  Value lookup(Value value);
  /// All lanes, also of a number that is the same for all of them.
  Value inLanes(Value value);
  Type inLanes(Type scalar);
  /// The f32 `value` in all lanes.
  Value splat(float value);
  /// How far the lanes of an index are apart.
  int64_t getStep(Value index) const { return steps.lookup(index); }
  /// Whether scalable vectors can hold the numbers of `block`, whose argument
  /// `column` is the column: all memory that it reads is of neighbouring ones.
  bool canScale(Block &block, Value column);
  void fail(Operation *inner, StringRef message);

  /// The row, or the rows, that an argument of a region stands for.
  struct Row {
    Value memory, offset;
    int64_t stride = 0; ///< of several rows
    Value numRows;      ///< of rows that a table lists
  };

  Region &region;
  ImplicitLocOpBuilder b;
  Lanes lanes;
  DenseMap<Value, Row> rows;
  IRMapping mapping;
  DenseMap<Value, int64_t> steps;
  bool hasFailed = false;

private:
  /// Where the rows of an operand are: at equal distances, or in a table.
  struct Operand {
    Value memory, begin;
    int64_t stride = 0;
    Value table, count; ///< of ranges
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
  /// Creates the code of a part of a row; fails with an error of what targets
  /// do not compute.
  LogicalResult emitRow(Value row, Value part);

protected:
  using ColumnBody = function_ref<Value(Value column)>;

  /// What a loop over columns is like.
  struct ColumnLoop {
    /// The most numbers that it keeps of one `kernel.sum_rows`.
    unsigned numSums = 0;
    /// Whether scalable vectors can be its lanes, and the target has them.
    bool canScale = false;
  };

  /// Calls `body` for columns 0, ..., `count` - 1.
  virtual void forEach(int64_t count, function_ref<void(Value)> body,
                       ColumnLoop loop) = 0;
  /// The same for each of `blocks` blocks; lanes are columns of one block.
  virtual void forEachOf(int64_t blocks, int64_t count,
                         function_ref<void(Value, Value)> body,
                         ColumnLoop loop) = 0;
  virtual bool hasScalableVectors() const { return false; }
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

  /// What `body` gives for columns `begin`, ..., `end` - 1, added to `sums`,
  /// the f64 of each lane.
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
  /// Emits the region of an operation with one index for `column`, and returns
  /// the values that it yields.
  Value emitColumn(Region &region, Value column);
};

/// The code of `kernel.reduce_rows`.
class SumCode : public RowCode {
public:
  SumCode(ReduceRowsOp op, OpBuilder &builder) : RowCode(op, builder), op(op) {}

  LogicalResult initialize();

protected:
  /// The first row of slice `slice`, and the row behind its last one; of
  /// several blocks of columns each is a row.
  std::pair<Value, Value> getRows(Value slice);
  /// What row `row` adds to each sum in column `column`.
  SmallVector<Value> emitTerms(Value row, Value column);
  /// Stores element (`slice`, `column`) of each output, or adds it.
  void store(ValueRange sums, Value slice, Value column);

  ReduceRowsOp op;

private:
  SmallVector<RowAddresses> outputs;
};

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOVECTOR_ROWLOWERING_H
