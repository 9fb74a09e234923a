//===- UpdatingConverter.h - Training steps on a device ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_UPDATINGCONVERTER_H
#define NNET3_CONVERSION_NNET3TOKERNELS_UPDATINGCONVERTER_H

#include "TrainingConverter.h"

namespace mlir::nnet3 {

/// Makes the gradient what a training step adds to the parameters, up to
/// learning rates. What is preconditioned is copied to room before the
/// gradient, which commands share.
class UpdatingConverter : public TrainingConverter {
public:
  UpdatingConverter(ComputationOp computation, KernelModule &module);

  /// Of each parameter that is trained: `component`, `parameter`, `place` in
  /// the weights, and `size`. Those come first among the weights, in the order
  /// of the network.
  ArrayAttr getParameters() const override;

private:
  void addParameters();
  /// Those of a component or part; the names begin with `prefix`, and the
  /// network has them under the name `whole`.
  void addParameters(ComponentOpInterface component, StringAttr whole,
                     StringRef prefix);
  int64_t getParameter(ComponentOpInterface component, const TensorSpec &spec);
  LogicalResult convertBackward(BackpropOp op) override;
  void convertMarker(NoOperationMarkerOp op) override;
  bool updates(BackpropOp op) override;

  void updateFromRows(BackpropOp op, AffineKernelInterface affine);
  void updateFromProducts(BackpropOp op, AffineKernelInterface affine);
  void updateFromSums(BackpropOp op, BackwardKernelInterface component);
  void updateFromTerms(BackpropOp op, BackwardKernelInterface component);
  void addFactorGradient(BackpropOp op, AffineKernelInterface affine,
                         const Rows &y, const Rows &x) override;
  Rows gatherInput(BackpropOp op, AffineKernelInterface affine, bool hasOnes);
  Rows copy(BackpropOp op, const Rows &rows);
  void precondition(BackpropOp op, int64_t number, const Rows &rows,
                    bool isTwoSided = false);
  /// What each row adds to a sum of the component; a row for each block of it.
  Rows storeTerms(BackpropOp op, BackwardKernelInterface component,
                  unsigned sum);
  void copyRows(BackpropOp op, const Rows &from, int64_t dest, int64_t stride,
                bool adds = false);
  /// Adds X^T W, or rows, to a part of the gradient.
  void addToGradient(BackpropOp op, const Rows &x, const Rows &w,
                     const Rows &part) {
    addRowProduct(x, w, part, addsTo(part));
  }
  void addToGradient(BackpropOp op, const Rows &from, const Rows &part) {
    copyRows(op, from, part.place, part.stride, addsTo(part));
  }
  /// Room for `rows` x `columns`.
  Rows makeRows(int64_t rows, int64_t columns);
  Rows makeRows(int64_t rows, int64_t columns, int64_t stride);

  ComputationOp computation;
  SmallVector<Attribute> parameters;
  int64_t scratchSize = 0; ///< of the room before the gradient
  int64_t scratch = 0;     ///< floats of it that the command has in use
  /// The command whose parameters have their gradient already.
  Operation *done = nullptr;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_UPDATINGCONVERTER_H
