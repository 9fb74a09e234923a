//===- TrainingConverter.h - Backward passes on a device --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_TRAININGCONVERTER_H
#define NNET3_CONVERSION_NNET3TOKERNELS_TRAININGCONVERTER_H

#include "DeviceConverter.h"
#include "FirstWrites.h"
#include "GradientPlan.h"

#include "nnet3/Arithmetic/BackwardInterface.h"
#include "nnet3/Arithmetic/RowEmission.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

namespace mlir::nnet3 {

/// Makes kernels and products of the backward pass, too. The gradient is in the
/// arena, behind the matrices. Each command adds to it, or writes what nothing
/// has been added to.
class TrainingConverter : public DeviceConverter {
public:
  TrainingConverter(ComputationOp computation, KernelModule &module);

  int64_t getArenaSize() const override {
    return DeviceConverter::getArenaSize() + gradientSize;
  }
  /// Of each parameter that has a gradient: `component`, `parameter`, `place`,
  /// `rows` and `cols`.
  ArrayAttr getGradients() const override { return gradients.get(); }
  ArrayAttr getStatistics() const override;

protected:
  LogicalResult convertUnknown(Operation *op) override;
  virtual LogicalResult convertBackward(BackpropOp op);
  /// Place of the gradient of a parameter.
  int64_t getGradient(BackpropOp op, StringRef parameter, int64_t rows,
                      int64_t cols);
  /// Creates a `kernel.map_rows`.
  void mapRows(const RowOperands &operands, int64_t parts,
               function_ref<void(RowEmission &)> body);
  /// The matrices and vectors that the component's backward pass reads.
  RowOperands createOperands(BackpropOp op, BackwardKernelInterface component);
  /// All sums that the component computes from its rows.
  void addSums(BackpropOp op, BackwardKernelInterface component,
               ArrayRef<int64_t> dests, bool adds);
  using Rows = ArenaRows;
  void fillRows(const Rows &rows, float value);
  /// The sum of the rows and of their blocks of `width` columns, written or
  /// added.
  void addColumns(const Rows &rows, int64_t width, int64_t dest, bool adds);
  /// Y := X^T W, or Y += X^T W.
  void addRowProduct(const Rows &x, const Rows &w, const Rows &y, bool adds);
  /// The gradient Y^T X of the weights of a component with factors.
  virtual void addFactorGradient(BackpropOp op, AffineKernelInterface affine,
                                 const Rows &y, const Rows &x);
  /// Whether what is to be added to parts of the gradient has to be.
  bool addsTo(ArrayRef<Rows> parts) { return !gradients.write(parts); }
  /// Whether the command is to add to the gradient of its parameters.
  virtual bool updates(BackpropOp op);

  /// Floats behind the matrices, of the gradient and what is with it.
  int64_t gradientSize = 0;

private:
  void finish() override;

  void compress(CompressMatrixOp op);
  void decompress(DecompressMatrixOp op);
  std::pair<Value, Value> createCompressed(CompressedType type, Value matrix,
                                           Value compressed);
  void fillZeros(AllocMatrixZeroedOp op) override;
  bool mayWrite(BackpropOp op);
  void convertAffineBackward(BackpropOp op, AffineKernelInterface affine);
  void addBias(BackpropOp op, AffineKernelInterface affine);
  void addGradients(BackpropOp op, BackwardKernelInterface component);
  /// Sums over rows of what `terms` gives for a row and a column, in `blocks`
  /// blocks of `width` columns.
  void addSums(const RowOperands &operands, int64_t width, int64_t blocks,
               ArrayRef<int64_t> dests, bool adds,
               function_ref<SmallVector<Value>(RowEmission &, Value)> terms);
  void convertRowBackward(BackpropOp op, BackwardKernelInterface component);
  SmallVector<Value> createVectors(ComponentOpInterface component,
                                   BackwardKernelInterface backward);
  RowOperands createRowOperands(BackpropOp op,
                                BackwardKernelInterface component);
  void addFactors(BackpropOp op, BackwardKernelInterface component);
  void convertDistributeBackward(BackpropOp op);
  LogicalResult convertStagedBackward(BackpropOp op,
                                      StagedKernelInterface component);
  /// The matrices that a command has.
  RowOperands createMatrices(BackpropOp op);
  Value createRepairs(Operation *component);
  /// Whether the derivative of the input is added to what is there.
  bool addsToInputDerivative(BackpropOp op);
  void addStatistics(StoreStatsOp op);
  void addStatistics(BackpropOp op, StatisticsPhase phase);
  void addStatistics(Operation *op, StatisticsKernelInterface keeper,
                     StagedCommand command, Value memo, RowOperands operands);
  int64_t getWeightsGradient(BackpropOp op, AffineKernelInterface affine,
                             int64_t block, int64_t column);
  /// What the network calls a parameter of the component.
  StringAttr getParameterName(BackpropOp op, StringRef parameter);
  GradientPlan gradients;
  FirstWrites firstWrites;
  /// Components that have run backward.
  DenseSet<Operation *> begun;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_TRAININGCONVERTER_H
