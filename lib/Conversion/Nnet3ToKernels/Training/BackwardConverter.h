//===- BackwardConverter.h - Backward passes on a device --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_TRAINING_BACKWARDCONVERTER_H
#define NNET3_CONVERSION_NNET3TOKERNELS_TRAINING_BACKWARDCONVERTER_H

#include "Arena/FirstWrites.h"
#include "BackwardBuilder.h"

namespace mlir::nnet3 {

class CommandConverter;
class UpdateConverter;

/// Converts the backward passes of components to kernels and matmuls.
class BackwardConverter {
public:
  /// `updates` preconditions the gradient; null for none.
  BackwardConverter(CommandContext &context, StageConverter &stages,
                    BackwardBuilder &builder, UpdateConverter *updates);

  LogicalResult convert(BackpropOp op);
  /// If `op` is the last command that adds to the gradients of a component, and
  /// processes share the minibatch, begins to sum these gradients.
  void sumGradients(BackpropOp op);
  /// Zero-fills the rows of a matrix that no backward pass overwrites.
  void fillZeros(AllocMatrixZeroedOp op);

private:
  bool mayWrite(BackpropOp op);
  void convertAffine(BackpropOp op, AffineKernelInterface affine,
                     bool addsGradient);
  void addBias(BackpropOp op, AffineKernelInterface affine);
  int64_t getWeightsGradient(BackpropOp op, AffineKernelInterface affine,
                             int64_t block, int64_t column);
  void convertRow(BackpropOp op, BackwardKernelInterface component,
                  bool addsGradient);
  void addGradients(BackpropOp op, BackwardKernelInterface component);
  void addFactors(BackpropOp op, BackwardKernelInterface component,
                  bool addsGradient);
  RowOperands createRowOperands(BackpropOp op,
                                BackwardKernelInterface component);
  void convertDistribute(BackpropOp op);
  LogicalResult convertStaged(BackpropOp op, StagedKernelInterface component);
  /// Whether the input derivative is added to the matrix's contents.
  bool addsToInputDerivative(BackpropOp op);
  /// Whether both derivatives are in the same matrix.
  static bool isInPlace(BackpropOp op);
  bool isUpdate(BackpropOp op) const;
  void findLastUpdates();

  CommandContext &context;
  StageConverter &stages;
  BackwardBuilder &builder;
  UpdateConverter *updates;
  FirstWrites firstWrites;
  /// The last update of each component; empty if no other process needs it.
  DenseMap<StringAttr, Operation *> lastUpdates;
};

/// Registers the statistics of both passes, backward passes, and the
/// compression of matrices in between.
void populateBackwardCommands(CommandConverter &converter,
                              StageConverter &stages, bool updates);

/// Converts the compression of a matrix that is kept for the backward pass, and
/// its decompression, unless the backward pass reads the integers.
void compress(CommandContext &context, CompressMatrixOp op);
void decompress(CommandContext &context, DecompressMatrixOp op);
/// Converts the backward pass of a component that reads the signs of its output
/// from the compressed integers, which saves writing and reading floats.
/// Returns whether `op` is one.
bool convertFromSigns(CommandContext &context, BackpropOp op,
                      BackwardKernelInterface component, bool adds);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_TRAINING_BACKWARDCONVERTER_H
