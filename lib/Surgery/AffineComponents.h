//===- AffineComponents.h - Components y = W x + b --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is one affine component for the passes of this folder: Kaldi's plain one
// and that with natural gradient. They have the parameters `linear_params` and
// `bias_params`.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SURGERY_AFFINECOMPONENTS_H
#define LIB_SURGERY_AFFINECOMPONENTS_H

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

namespace mlir::nnet3 {

/// Whether a component is affine and trained.
bool isAffine(Operation *component);

/// Whether a component is affine, trained or not.
bool isAffineOrFixed(Operation *component);

// Components with these names, dims and parameters.

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
