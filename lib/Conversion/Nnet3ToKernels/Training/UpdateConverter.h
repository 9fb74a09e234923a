//===- UpdateConverter.h - Training steps on a device -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_TRAINING_UPDATECONVERTER_H
#define NNET3_CONVERSION_NNET3TOKERNELS_TRAINING_UPDATECONVERTER_H

#include "BackwardBuilder.h"

namespace mlir::nnet3 {

/// Rows of which each has `count` groups of columns, `distance` floats apart.
struct ColumnGroups {
  ArenaRows first = {};
  int64_t count = 0, distance = 0;

  ArenaRows get(int64_t number) const {
    return {first.place + number * distance, first.rows, first.columns,
            first.stride};
  }
};

/// Preconditions the gradient, such that it is the parameter update of a
/// training step without the learning rates. Copies that are preconditioned are
/// in a scratch buffer before the gradient, which commands reuse.
class UpdateConverter {
public:
  UpdateConverter(CommandContext &context, BackwardBuilder &builder);

  /// Returns for each trained parameter `component`, `parameter`, `place` (its
  /// offset in the weights) and `size`. Trained parameters come first in the
  /// weights, in the order of the network.
  ArrayAttr getParameters() const;
  /// Preconditions the gradient of the command's parameters and adds it, if
  /// that is separate from the backward pass, which then computes only the
  /// derivative of the input. Returns whether it is.
  bool addGradient(BackpropOp op);
  /// Replaces the factors of a gradient Y^T X by preconditioned copies.
  void preconditionFactors(BackpropOp op, ArenaRows &y, ArenaRows &x);

private:
  void addParameters();
  /// Adds the parameters of a component or part; their names begin with
  /// `prefix`, and the network's component is `whole`.
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
  /// Preconditions `rows` as a factor of a matmul with `others`. Returns two
  /// matrices of `rank` rows whose matmul must be added to the gradient.
  std::pair<ArenaRows, ArenaRows>
  preconditionProduct(BackpropOp op, int64_t number, const ColumnGroups &rows,
                      const ArenaRows &others, int64_t rank);
  /// Stores the terms that each row adds to a reduction of the component, one
  /// row per block.
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
  /// Allocates `rows` x `columns` in the scratch buffer.
  ArenaRows makeRows(int64_t rows, int64_t columns);
  ArenaRows makeRows(int64_t rows, int64_t columns, int64_t stride);

  CommandContext &context;
  BackwardBuilder &builder;
  SmallVector<Attribute> parameters;
  int64_t place, scratchSize; ///< of the scratch buffer before the gradient
  int64_t scratch = 0;        ///< floats of it that the command uses
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_TRAINING_UPDATECONVERTER_H
