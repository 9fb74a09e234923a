//===- LaneEmission.h - A row by the lanes of vectors -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_LANEEMISSION_H
#define NNET3_CONVERSION_NNET3TOKERNELS_LANEEMISSION_H

#include "RowOperands.h"

namespace mlir::nnet3 {

/// Neighbouring columns are the lanes of a vector; the last ones of a row are
/// a shorter vector.
class LaneEmission : public RowOperands {
public:
  LaneEmission(const WholeRowKernel &kernel, const VectorTarget &target,
               VectorEmitter &e, func::FuncOp function)
      : RowOperands(kernel, e, function), target(target) {}

  void forEach(int64_t count, function_ref<void(Value)> body,
               unsigned numSums = 0) override;
  void forEachOf(int64_t blocks, int64_t count,
                 function_ref<void(Value, Value)> body) override;
  Value sum(int64_t count, function_ref<Value(Value)> body) override;
  Value max(int64_t count, function_ref<Value(Value)> body) override;
  Value sumBetween(Value begin, Value end, int64_t typical,
                   function_ref<Value(Value)> body) override;
  SmallVector<Value>
  dots(unsigned number, int64_t count,
       function_ref<std::pair<Value, Value>(unsigned, Value)> body) override;
  SmallVector<Value> softmax(ArrayRef<Value> numbers) override;

private:
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
  /// a where it is larger, else b.
  Value larger(Value a, Value b);
  Value reduce(vector::CombiningKind kind, Value elements);

  const VectorTarget &target;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_LANEEMISSION_H
