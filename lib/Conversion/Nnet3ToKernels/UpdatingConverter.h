//===- UpdatingConverter.h - Training steps on a device ---------*- C++ -*-===//

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
  int64_t getParameter(ComponentOpInterface component, const TensorSpec &spec);
  LogicalResult convertUnknown(Operation *op) override;
  void convertMarker(NoOperationMarkerOp op) override;
  bool updates(BackpropOp op) override;

  void updateFromRows(BackpropOp op, AffineKernelInterface affine);
  void updateFromProducts(BackpropOp op, AffineKernelInterface affine);
  void updateFromSums(BackpropOp op, BackwardKernelInterface component);
  void updateFromOffsets(BackpropOp op, int64_t number, StringRef parameter,
                         int64_t columns);
  void updateFromScales(BackpropOp op, BackwardKernelInterface component);
  Rows gatherInput(BackpropOp op, AffineKernelInterface affine, bool hasOnes);
  Rows copy(BackpropOp op, Value matrix);
  void precondition(BackpropOp op, int64_t number, const Rows &rows,
                    bool isTransposed = false);
  void fill(BackpropOp op, const Rows &rows, float value);
  void addRowProduct(BackpropOp op, const Rows &x, const Rows &w,
                     const Rows &y);
  /// What each row adds to the component's first sum.
  void storeTerms(BackpropOp op, BackwardKernelInterface component,
                  const Rows &terms);
  void copyRows(BackpropOp op, const Rows &from, int64_t dest, int64_t stride,
                bool adds);
  /// Room for `rows` x `columns`.
  Rows makeRows(int64_t rows, int64_t columns);

  ComputationOp computation;
  SmallVector<Attribute> parameters;
  int64_t scratch = 0; ///< floats that the command has in use
  /// The command whose parameters have their gradient already.
  Operation *done = nullptr;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_UPDATINGCONVERTER_H
