//===- BlockEmission.h - A row by a block of threads ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_BLOCKEMISSION_H
#define NNET3_CONVERSION_NNET3TOKERNELS_BLOCKEMISSION_H

#include "DeviceLoops.h"
#include "RowOperands.h"

namespace mlir::nnet3 {

/// Columns are shared out among the threads of a block, and perhaps stretches
/// of columns among blocks.
class BlockEmission : public RowOperands {
public:
  using RowOperands::RowOperands;

  /// The block has these columns of each forEach that has them; without a
  /// stretch it has all columns.
  void setStretch(const Stretch &columns) { stretch = columns; }

  void forEach(int64_t count, function_ref<void(Value)> body,
               unsigned numSums = 0) override;
  void forEachOf(int64_t blocks, int64_t count,
                 function_ref<void(Value, Value)> body) override;
  Value sum(int64_t count, function_ref<Value(Value)> body) override;
  Value max(int64_t count, function_ref<Value(Value)> body) override;
  SmallVector<Value>
  dots(unsigned number, int64_t count,
       function_ref<std::pair<Value, Value>(unsigned, Value)> body) override;
  SmallVector<Value> softmax(ArrayRef<Value> numbers) override;

private:
  template <typename OpTy>
  Value reduce(int64_t count, float neutral, function_ref<Value(Value)> body);

  std::optional<Stretch> stretch;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_BLOCKEMISSION_H
