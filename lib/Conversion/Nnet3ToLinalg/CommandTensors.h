//===- CommandTensors.h - Commands as functions of tensors ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_CONVERSION_NNET3TOLINALG_COMMANDTENSORS_H
#define NNET3_LIB_CONVERSION_NNET3TOLINALG_COMMANDTENSORS_H

#include "MatrixValues.h"
#include "RowRegion.h"

#include "nnet3/Dialect/Nnet3/Analysis/ComponentTable.h"
#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/FusedCommandOps.h"

namespace mlir::nnet3 {

/// Converts the commands of a computation, in their order, to operations on
/// tensors.
class CommandTensors {
public:
  CommandTensors(OpBuilder &builder, ComputationOp computation)
      : tensors(builder, computation.getLoc()), matrices(tensors),
        components(computation) {}

  /// Converts all but input and output, which the caller does.
  LogicalResult convert(Operation &op);

  MatrixValues &getMatrices() { return matrices; }

private:
  /// The first one and how many there are.
  using ColumnRange = std::pair<int64_t, int64_t>;

  LogicalResult convert(PropagateOp op);
  LogicalResult convert(FusedAffineOp op);
  void convert(AddRowRangesOp op);
  /// `view` := or += alpha times `tensor`.
  void assign(Value view, Value tensor, const APFloat &alpha, bool adds);

  /// The row of the sources for each entry of a table, times the places where
  /// there is one.
  Value gather(ValueRange sources, RowTableAttr rows);
  template <typename OpTy> void scatter(OpTy op, bool adds);

  FailureOr<Value> propagateElementwise(ElementwiseKernelInterface component,
                                        Value input);
  FailureOr<Value> propagateBlocks(BlockKernelInterface component, Value input);
  FailureOr<Value> propagateFactors(PropagateOp op,
                                    FactorKernelInterface component,
                                    Value input, Value before);
  FailureOr<Value> propagateRows(PropagateOp op, RowKernelInterface component,
                                 Value input, Value before,
                                 function_ref<void(RowEmission &)> emit);
  Value distribute(PropagateOp op, Value input);

  /// Each vector as a row of as many columns as `columns`, `rows` times.
  FailureOr<SmallVector<Value>> getVectors(Operation *component, int64_t number,
                                           int64_t rows, int64_t columns);
  /// Columns of the weights of `affine` that multiply columns of the input, as
  /// a matrix with a row for each of these.
  FailureOr<Value> getWeights(AffineKernelInterface affine,
                              ArrayRef<ColumnRange> columns);
  FailureOr<SmallVector<float>> getBias(AffineKernelInterface affine,
                                        int64_t column);

  TensorBuilder tensors;
  MatrixValues matrices;
  ComponentTable components;
  /// The results of getWeights, which the steps of a recurrence share; only
  /// looked up.
  std::map<std::pair<Operation *, std::vector<ColumnRange>>, Value> weights;
};

} // namespace mlir::nnet3

#endif // NNET3_LIB_CONVERSION_NNET3TOLINALG_COMMANDTENSORS_H
