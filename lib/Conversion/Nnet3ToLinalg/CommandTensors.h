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

/// Converts the commands of a computation, in order, to operations on tensors.
class CommandTensors {
public:
  CommandTensors(OpBuilder &builder, ComputationOp computation)
      : tensors(builder, computation.getLoc()), matrices(tensors),
        components(computation) {}

  /// Converts any command but inputs and outputs, which the caller converts.
  LogicalResult convert(Operation &op);

  MatrixValues &getMatrices() { return matrices; }

private:
  /// First column and number of columns.
  using ColumnRange = std::pair<int64_t, int64_t>;

  LogicalResult convert(PropagateOp op);
  LogicalResult convert(FusedAffineOp op);
  void convert(AddRowRangesOp op);
  /// Assigns alpha times `tensor` to `view`, or adds it.
  void assign(Value view, Value tensor, const APFloat &alpha, bool adds);

  /// Returns the source row of each table entry; zeros for entries without a
  /// row.
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

  /// Returns each vector as a row of `columns` columns, repeated `rows` times.
  FailureOr<SmallVector<Value>> getVectors(Operation *component, int64_t number,
                                           int64_t rows, int64_t columns);
  /// Returns the transposed weights of `affine` for some columns of the input.
  FailureOr<Value> getWeights(AffineKernelInterface affine,
                              ArrayRef<ColumnRange> columns);
  FailureOr<SmallVector<float>> getBias(AffineKernelInterface affine,
                                        int64_t column);

  TensorBuilder tensors;
  MatrixValues matrices;
  ComponentTable components;
  /// Results of getWeights(), which the steps of a recurrence share; only
  /// looked up.
  std::map<std::pair<Operation *, std::vector<ColumnRange>>, Value> weights;
};

} // namespace mlir::nnet3

#endif // NNET3_LIB_CONVERSION_NNET3TOLINALG_COMMANDTENSORS_H
