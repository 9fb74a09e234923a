//===- AffineComponents.h - Affine components -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of this folder treat two components alike: Kaldi's plain affine
// component and the one with natural gradient. Both have the parameters
// `linear_params` and `bias_params`.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SURGERY_AFFINECOMPONENTS_H
#define LIB_SURGERY_AFFINECOMPONENTS_H

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

namespace mlir::nnet3 {

/// Returns true for an affine component that is updatable.
bool isAffine(Operation *component);

/// Returns true for an affine component, updatable or fixed.
bool isAffineOrFixed(Operation *component);

// Creates components with these names, dims and parameters.

ComponentOpInterface createAffine(OpBuilder &builder, Location loc,
                                  StringRef name,
                                  ArrayRef<NamedAttribute> attributes);
ComponentOpInterface
createNaturalGradientAffine(OpBuilder &builder, Location loc, StringRef name,
                            ArrayRef<NamedAttribute> attributes);
ComponentOpInterface createFixedAffine(OpBuilder &builder, Location loc,
                                       StringRef name,
                                       ArrayRef<NamedAttribute> attributes);

} // namespace mlir::nnet3

#endif // LIB_SURGERY_AFFINECOMPONENTS_H
