//===- LaneRows.h - A row by the lanes of vectors ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_LANEROWS_H
#define NNET3_CONVERSION_KERNELTOVECTOR_LANEROWS_H

#include "nnet3/Conversion/KernelToVector/RowLowering.h"

namespace mlir::nnet3::kernel {

/// Neighbouring columns are the lanes of a vector; the last ones of a row are
/// a shorter vector. Sums over columns have the same order on all machines, in
/// vectors of the length that each has; only independent columns are scalable.
class LaneRows : public RowLowering {
public:
  LaneRows(MapRowsOp op, OpBuilder &builder, TargetAttr target)
      : RowLowering(op, builder), target(target) {}

  /// All rows.
  LogicalResult emitRows();

private:
  void forEach(int64_t count, function_ref<void(Value)> body,
               ColumnLoop loop) override;
  void forEachOf(int64_t blocks, int64_t count,
                 function_ref<void(Value, Value)> body,
                 ColumnLoop loop) override;
  Value sum(int64_t count, ColumnBody body) override;
  Value max(int64_t count, ColumnBody body) override;
  Value sumRange(Value begin, Value end, int64_t typical,
                 ColumnBody body) override;
  SmallVector<Value>
  dots(unsigned number, int64_t count,
       function_ref<std::pair<Value, Value>(unsigned, Value)> body) override;
  SmallVector<Value> softmax(ArrayRef<Value> numbers) override;

  using VectorBody = function_ref<SmallVector<Value>(Value, ValueRange)>;
  /// Goes over columns 0, ..., `count` - 1 in vectors of `length`, then in
  /// vectors of the target's length, then what is left; calls `body` with the
  /// first column of each and, for vectors of one length, what it gave for the
  /// one before, at first `inits` of that length. Returns what it gave in the
  /// end for each length.
  SmallVector<SmallVector<Value>>
  foldVectors(int64_t count, int64_t length,
              function_ref<SmallVector<Value>()> inits, VectorBody body);
  Value foldWide(Value elements);
  /// x where it is larger, else y.
  Value larger(Value x, Value y);
  /// One number of all lanes.
  Value maxOfLanes(Value elements);
  Value sumOfLanes(Value elements);
  int64_t getLength() const { return target.getVectorLength(); }
  bool hasScalableVectors() const override { return target.isScalable(); }

  TargetAttr target;
};

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOVECTOR_LANEROWS_H
