//===- PrecisionMix.h - Choosing precisions of layers -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TOOLS_CALIBRATE_PRECISIONMIX_H
#define NNET3_TOOLS_CALIBRATE_PRECISIONMIX_H

#include "nnet3/Dialect/Kernel/IR/Precision.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace mlir::nnet3 {

/// A component, and its error in each precision that it supports.
struct LayerPrecisions {
  std::string component;
  int64_t weights;

  struct Way {
    Precision precision;
    /// The weights rounded to the precision; null for the original ones.
    ElementsAttr rounded;
    /// Squared RMS error of the network's output, relative to the output's
    /// squared RMS, if only this component has this precision.
    double squaredError;
  };
  /// In the order of precision, from the fewest bits to f32.
  std::vector<Way> ways;
  /// The index of the chosen precision.
  size_t chosen = 0;

  const Way &getChosen() const { return ways[chosen]; }
};

/// Chooses the precision of each layer such that the sum of the squared errors
/// stays within `budget`; errors of layers are assumed independent. Starts from
/// the fewest bits and repeats the step that saves the most error per
/// additional byte.
void chooseWithin(double budget, llvm::MutableArrayRef<LayerPrecisions> layers);

/// Returns all layers as "NAME:PRECISION".
std::vector<std::string> getChoices(llvm::ArrayRef<LayerPrecisions> layers);

/// Like getChoices(), with the errors of layers below f32:
/// "NAME:PRECISION:ERROR".
std::vector<std::string>
getChoicesWithErrors(llvm::ArrayRef<LayerPrecisions> layers);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_CALIBRATE_PRECISIONMIX_H
