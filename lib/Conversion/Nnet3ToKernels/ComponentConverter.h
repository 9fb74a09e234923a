//===- ComponentConverter.h - Components as kernel operations ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_COMPONENTCONVERTER_H
#define NNET3_CONVERSION_NNET3TOKERNELS_COMPONENTCONVERTER_H

#include "AffineConverter.h"

namespace mlir::nnet3 {

class CommandConverter;
class StageConverter;

/// Whether each row of a component's output is a copy of a block of columns of
/// an input row, as given by tables.
bool copiesBlocks(Operation *component);

/// Converts forward passes of components to kernels.
class ComponentConverter {
public:
  /// `affines` multiplies the factors of factorised components.
  ComponentConverter(CommandContext &context, AffineConverter &affines)
      : context(context), affines(affines) {}

  LogicalResult convert(PropagateOp op);

private:
  /// Converts a component without generated code to a call of the runtime.
  LogicalResult convertOther(PropagateOp op);
  void convertElementwise(PropagateOp op, ElementwiseKernelInterface component);
  void convertBlocks(PropagateOp op, BlockKernelInterface component);
  void createRow(PropagateOp op, RowKernelInterface row, Value input,
                 Value output, function_ref<void(RowEmission &)> body);
  void convertRow(PropagateOp op, RowKernelInterface row);
  Value createRowInput(PropagateOp op, RowKernelInterface row);
  Value createRanges(PropagateOp op);
  void convertFactor(PropagateOp op, FactorKernelInterface factor);
  void convertFactor(PropagateOp op, FactorKernelInterface factor,
                     RowSpan rows);
  void convertDistribute(PropagateOp op);

  CommandContext &context;
  AffineConverter &affines;
};

/// Registers affine commands and forward passes. `stages` converts components
/// with several grid-wide phases; null for CPUs.
void populateForwardCommands(CommandConverter &converter,
                             AffineConverter &affines, StageConverter *stages);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_COMPONENTCONVERTER_H
