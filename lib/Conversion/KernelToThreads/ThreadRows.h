//===- ThreadRows.h - Rows by blocks of threads -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOTHREADS_THREADROWS_H
#define NNET3_CONVERSION_KERNELTOTHREADS_THREADROWS_H

#include "nnet3/Conversion/KernelToThreads/DeviceLoops.h"
#include "nnet3/Conversion/KernelToVector/RowLowering.h"

namespace mlir::nnet3::kernel {

/// The threads of a block share the columns of a row. If columns are
/// independent, several blocks share a row by slices of columns.
class ThreadRows : public RowLowering {
public:
  using RowLowering::RowLowering;

  /// Largest number of columns of the loops over a row.
  int64_t getColumns();
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
  SmallVector<Value>
  dots(unsigned number, int64_t count,
       function_ref<std::pair<Value, Value>(unsigned, Value)> body) override;
  SmallVector<Value> softmax(ArrayRef<Value> numbers) override;

  template <typename OpTy>
  Value reduce(int64_t count, float neutral, ColumnBody body);
  bool isColumnwise();

  /// The block's slice of columns; without a value, all columns.
  std::optional<Slice> slice;
};

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOTHREADS_THREADROWS_H
