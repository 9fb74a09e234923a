//===- ThreadRows.h - A row by a block of threads ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOTHREADS_THREADROWS_H
#define NNET3_CONVERSION_KERNELTOTHREADS_THREADROWS_H

#include "nnet3/Conversion/KernelToThreads/DeviceLoops.h"
#include "nnet3/Conversion/KernelToVector/RowLowering.h"

namespace mlir::nnet3::kernel {

/// Columns are shared out among the threads of a block, and slices of columns
/// among blocks where no column depends on another one.
class ThreadRows : public RowLowering {
public:
  using RowLowering::RowLowering;

  /// Columns that the threads of a row go over at most.
  int64_t getColumns();
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
  SmallVector<Value>
  dots(unsigned number, int64_t count,
       function_ref<std::pair<Value, Value>(unsigned, Value)> body) override;
  SmallVector<Value> softmax(ArrayRef<Value> numbers) override;

  template <typename OpTy>
  Value reduce(int64_t count, float neutral, ColumnBody body);
  bool isColumnwise();

  /// The columns of a block; all of them without a value.
  std::optional<Stretch> stretch;
};

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOTHREADS_THREADROWS_H
