//===- TestMode.h - Components in training mode -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_ANALYSIS_TESTMODE_H
#define NNET3_DIALECT_NNET3_ANALYSIS_TESTMODE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace mlir::nnet3 {

/// The name of the attribute of components with a test mode.
inline constexpr llvm::StringLiteral kTestModeAttr = "test_mode";

/// Whether `component` has a test mode, like batch norm and dropout, and is not
/// in it. The ODS record of a component determines whether it has one.
inline bool isInTrainingMode(Operation *component) {
  auto name = StringAttr::get(component->getContext(), kTestModeAttr);
  if (!llvm::is_contained(component->getName().getAttributeNames(), name))
    return false;
  auto testMode = component->getAttrOfType<BoolAttr>(name);
  return !testMode || !testMode.getValue();
}

} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_ANALYSIS_TESTMODE_H
