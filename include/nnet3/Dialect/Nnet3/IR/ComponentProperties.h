//===- ComponentProperties.h - Property bits of components ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_COMPONENTPROPERTIES_H
#define NNET3_DIALECT_NNET3_IR_COMPONENTPROPERTIES_H

#include "llvm/ADT/BitmaskEnum.h"
#include <cstdint>

namespace mlir::nnet3 {

LLVM_ENABLE_BITMASK_ENUMS_IN_NAMESPACE();

/// The properties of a component for the compiler and the executor: Kaldi's
/// property flags, with the same values.
enum class ComponentProperties : uint32_t {
  None = 0,
  /// Each output row depends only on the input row with the same index, in the
  /// same way for all indexes.
  Simple = 0x001,
  /// Has trainable parameters.
  Updatable = 0x002,
  /// Input and output matrix may be the same in the forward pass.
  PropagateInPlace = 0x004,
  /// The forward pass adds to its output.
  PropagateAdds = 0x008,
  /// Requires a certain order of rows (reorderIndexes()).
  ReordersIndexes = 0x010,
  /// The backward pass adds to the input derivative, unless run in place.
  BackpropAdds = 0x020,
  /// The backward pass reads the forward input.
  BackpropNeedsInput = 0x040,
  /// The backward pass reads the forward output.
  BackpropNeedsOutput = 0x080,
  /// Output and input derivative may be the same matrix.
  BackpropInPlace = 0x100,
  /// Has statistics of its activations.
  StoresStats = 0x200,
  /// Input value and derivative must have stride = columns.
  InputContiguous = 0x400,
  /// Output value and derivative must have stride = columns.
  OutputContiguous = 0x800,
  /// The forward pass returns a memo that the backward pass consumes.
  UsesMemo = 0x1000,
  /// Is random, unless in test mode.
  Random = 0x2000,
  LLVM_MARK_AS_BITMASK_ENUM(Random)
};

/// Whether `properties` has all bits of `bits`.
inline bool has(ComponentProperties properties, ComponentProperties bits) {
  return (properties & bits) == bits;
}

} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_IR_COMPONENTPROPERTIES_H
