//===- UpdateConverter.h - Training steps on a device -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_TRAINING_UPDATECONVERTER_H
#define NNET3_CONVERSION_NNET3TOKERNELS_TRAINING_UPDATECONVERTER_H

#include "BackwardBuilder.h"

namespace mlir::nnet3 {

/// Makes the gradient what a training step adds to the parameters, up to
/// learning rates. What is preconditioned is copied to room before the
/// gradient, which commands share.
class UpdateConverter {
public:
  UpdateConverter(CommandContext &context, BackwardBuilder &builder);

  /// Of each parameter that is trained: `component`, `parameter`, `place` in
  /// the weights, and `size`. Those come first among the weights, in the order
  /// of the network.
  ArrayAttr getParameters() const;
  /// Whether the gradient of the command's parameters is preconditioned and
  /// apart from the backward pass, which then only has the derivative of the
  /// input.
  bool addGradient(BackpropOp op);
  /// Makes preconditioned copies of the factors of a gradient Y^T X.
  void preconditionFactors(BackpropOp op, ArenaRows &y, ArenaRows &x);

private:
  void addParameters();
  /// Those of a component or part; the names begin with `prefix`, and the
  /// network has them under the name `whole`.
  void addParameters(ComponentOpInterface component, StringAttr whole,
                     StringRef prefix);
  int64_t getParameter(ComponentOpInterface component, const TensorSpec &spec);

  void updateFromRows(BackpropOp op, AffineKernelInterface affine);
  void updateFromProducts(BackpropOp op, AffineKernelInterface affine);
  void updateFromSums(BackpropOp op, BackwardKernelInterface component);
  void updateFromTerms(BackpropOp op, BackwardKernelInterface component);
  ArenaRows gatherInput(BackpropOp op, AffineKernelInterface affine,
                        bool hasOnes);
  ArenaRows copy(const ArenaRows &rows);
  void precondition(BackpropOp op, int64_t number, const ArenaRows &rows,
                    bool isTwoSided = false);
  /// Preconditions rows as a factor of their product with others: the matrices
  /// of `rank` rows whose product has to be added.
  std::pair<ArenaRows, ArenaRows>
  preconditionProduct(BackpropOp op, int64_t number, const ArenaRows &rows,
                      const ArenaRows &others, int64_t rank);
  /// What each row adds to a sum of the component; a row for each block of it.
  ArenaRows storeTerms(BackpropOp op, BackwardKernelInterface component,
                       unsigned sum);
  void copyRows(const ArenaRows &from, int64_t dest, int64_t stride,
                bool adds = false);
  /// Adds X^T W, or rows, to a part of the gradient.
  void addToGradient(const ArenaRows &x, const ArenaRows &w,
                     const ArenaRows &part) {
    builder.addRowProduct(x, w, part, builder.addsTo(part));
  }
  void addToGradient(const ArenaRows &from, const ArenaRows &part) {
    copyRows(from, part.place, part.stride, builder.addsTo(part));
  }
  /// Room for `rows` x `columns`.
  ArenaRows makeRows(int64_t rows, int64_t columns);
  ArenaRows makeRows(int64_t rows, int64_t columns, int64_t stride);

  CommandContext &context;
  BackwardBuilder &builder;
  SmallVector<Attribute> parameters;
  int64_t place, scratchSize; ///< of the room before the gradient
  int64_t scratch = 0;        ///< floats of it that the command has in use
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_TRAINING_UPDATECONVERTER_H
