//===- GradientPlan.h - Where gradients of parameters are -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_ARENA_GRADIENTPLAN_H
#define NNET3_CONVERSION_NNET3TOKERNELS_ARENA_GRADIENTPLAN_H

#include "ArenaPlan.h"
#include "WrittenParts.h"

#include "mlir/IR/BuiltinAttributes.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::nnet3 {

/// The gradients that a backward pass adds to, each a matrix of the arena
/// without gaps. What is added to an element first may be written instead.
class GradientPlan {
public:
  /// Where the gradient of a parameter is: at `place` if it is new.
  int64_t get(StringAttr component, StringAttr parameter, int64_t place,
              int64_t rows, int64_t columns);

  /// Whether what is to be added to all of `parts` may be written instead.
  /// Nothing may that is no part of a gradient.
  bool write(ArrayRef<ArenaRows> parts);
  /// The range of the arena that has to be zero before all commands: begin and
  /// end. It may cover gradients that are written later, but nothing else. None
  /// if nobody needs zeros.
  std::optional<std::pair<int64_t, int64_t>> getZeros() const;

  /// A list of #kernel.gradient; null without any.
  ArrayAttr get() const;

private:
  struct Gradient {
    int64_t place, rows, columns;
    WrittenParts written;
  };

  std::pair<Gradient *, WrittenPart> find(const ArenaRows &part);

  /// By component and parameter.
  llvm::MapVector<std::pair<StringAttr, StringAttr>, Gradient> gradients;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_ARENA_GRADIENTPLAN_H
