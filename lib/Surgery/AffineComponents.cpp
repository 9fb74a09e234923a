//===- AffineComponents.cpp - Affine components ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AffineComponents.h"
#include "NetworkEdits.h"

using namespace mlir;
using namespace mlir::nnet3;

bool mlir::nnet3::isAffine(Operation *component) {
  return isa<AffineOp, NaturalGradientAffineOp>(component);
}

bool mlir::nnet3::isAffineOrFixed(Operation *component) {
  return isAffine(component) || isa<FixedAffineOp>(component);
}

ComponentOpInterface
mlir::nnet3::createAffine(OpBuilder &builder, Location loc, StringRef name,
                          ArrayRef<NamedAttribute> attributes) {
  return createComponent<AffineOp>(builder, loc, name, attributes);
}

ComponentOpInterface
mlir::nnet3::createNaturalGradientAffine(OpBuilder &builder, Location loc,
                                         StringRef name,
                                         ArrayRef<NamedAttribute> attributes) {
  return createComponent<NaturalGradientAffineOp>(builder, loc, name,
                                                  attributes);
}

ComponentOpInterface
mlir::nnet3::createFixedAffine(OpBuilder &builder, Location loc, StringRef name,
                               ArrayRef<NamedAttribute> attributes) {
  return createComponent<FixedAffineOp>(builder, loc, name, attributes);
}
