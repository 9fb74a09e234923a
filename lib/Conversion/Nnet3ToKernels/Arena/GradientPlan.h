//===- GradientPlan.h - Layout of parameter gradients -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_ARENA_GRADIENTPLAN_H
#define NNET3_CONVERSION_NNET3TOKERNELS_ARENA_GRADIENTPLAN_H

#include "ArenaPlan.h"
#include "WrittenParts.h"

#include "mlir/IR/BuiltinAttributes.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::nnet3 {

/// The gradients that a backward pass accumulates, each a contiguous matrix of
/// the arena. The first contribution to an element may be written instead of
/// added.
class GradientPlan {
public:
  /// Returns the offset of a parameter's gradient; a new one is put at `place`.
  int64_t get(StringAttr component, StringAttr parameter, int64_t place,
              int64_t rows, int64_t columns);

  /// Whether the next contribution to all of `parts` may be written instead of
  /// added. False for a part that belongs to no gradient.
  bool write(ArrayRef<ArenaRows> parts);
  /// Returns the range of the arena, begin and end, that must be zero before
  /// all commands. It may include gradients that are written later, but nothing
  /// else. None if no zeros are needed.
  std::optional<std::pair<int64_t, int64_t>> getZeros() const;

  /// Returns a list of #kernel.gradient; null if empty.
  ArrayAttr get() const;

  /// Calls `fn` with the parameter of each gradient of `component`.
  void forEachOf(StringAttr component,
                 function_ref<void(StringAttr, const ArenaRows &)> fn) const;

private:
  struct Gradient {
    int64_t place, rows, columns;
    WrittenParts written;
  };

  std::pair<Gradient *, WrittenPart> find(const ArenaRows &part);

  /// Keyed by component and parameter.
  llvm::MapVector<std::pair<StringAttr, StringAttr>, Gradient> gradients;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_ARENA_GRADIENTPLAN_H
