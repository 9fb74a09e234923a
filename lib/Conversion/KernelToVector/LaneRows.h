//===- LaneRows.h - Rows as vectors of columns ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_LANEROWS_H
#define NNET3_CONVERSION_KERNELTOVECTOR_LANEROWS_H

#include "nnet3/Conversion/KernelToVector/RowLowering.h"

namespace mlir::nnet3::kernel {

/// Neighbouring columns are the lanes of a vector; the last columns of a row
/// form a shorter vector. Reductions over columns use fixed-length vectors, so
/// that their order is the same on all machines; only independent columns use
/// scalable vectors.
class LaneRows : public RowLowering {
public:
  LaneRows(MapRowsOp op, OpBuilder &builder, TargetAttr target)
      : RowLowering(op, builder), target(target) {}

  /// Emits code for all rows.
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
  /// vectors of the target's length, then over the rest. Calls `body` with the
  /// first column of each vector and the values carried from the previous
  /// vector of that length, at first `inits`. Returns the last values for each
  /// length.
  SmallVector<SmallVector<Value>>
  foldVectors(int64_t count, int64_t length,
              function_ref<SmallVector<Value>()> inits, VectorBody body);
  Value foldWide(Value elements);
  /// Elementwise maximum; y if x is not larger.
  Value larger(Value x, Value y);
  /// Maximum over the lanes.
  Value maxOfLanes(Value elements);
  Value sumOfLanes(Value elements);
  int64_t getLength() const { return target.getVectorLength(); }
  bool hasScalableVectors() const override { return target.isScalable(); }

  TargetAttr target;
};

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOVECTOR_LANEROWS_H
