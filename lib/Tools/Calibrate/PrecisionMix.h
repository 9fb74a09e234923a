//===- PrecisionMix.h - Which layers have fewer bits ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TOOLS_CALIBRATE_PRECISIONMIX_H
#define NNET3_TOOLS_CALIBRATE_PRECISIONMIX_H

#include "nnet3/Dialect/Kernel/IR/Precision.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace mlir::nnet3 {

/// A component, and its error in each precision that it may have.
struct LayerPrecisions {
  std::string component;
  int64_t weights;

  struct Way {
    Precision precision;
    /// The weights rounded to the precision, as they are measured; null for
    /// the given ones.
    ElementsAttr rounded;
    /// Squared rms error of the network's output, relative to the output's
    /// squared rms, if this component alone has this precision.
    double squaredError;
  };
  /// From the least bits to f32.
  std::vector<Way> ways;
  /// The chosen one.
  size_t chosen = 0;

  const Way &getChosen() const { return ways[chosen]; }
};

/// Chooses for each layer the fewest bits, so that the sum of the squared
/// errors stays within `budget`. Errors of layers count as independent. Takes
/// back, step by step, what saves the most error for each byte that it adds.
void chooseWithin(double budget, llvm::MutableArrayRef<LayerPrecisions> layers);

/// All layers, each as "NAME:PRECISION".
std::vector<std::string> getChoices(llvm::ArrayRef<LayerPrecisions> layers);

/// The same, and the errors of those in less than f32: "NAME:PRECISION:ERROR".
std::vector<std::string>
getChoicesWithErrors(llvm::ArrayRef<LayerPrecisions> layers);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_CALIBRATE_PRECISIONMIX_H
