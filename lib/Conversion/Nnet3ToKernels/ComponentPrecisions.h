//===- ComponentPrecisions.h - The precision of each matmul -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_COMPONENTPRECISIONS_H
#define NNET3_CONVERSION_NNET3TOKERNELS_COMPONENTPRECISIONS_H

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"
#include "nnet3/Dialect/Kernel/IR/Precision.h"

#include "mlir/IR/BuiltinOps.h"

#include "llvm/ADT/DenseMap.h"

namespace mlir::nnet3 {

/// The precision of the matmuls of each component of a module's networks. All
/// matmuls with a component's weights have the same precision.
class ComponentPrecisions {
public:
  /// Fails with an error if parseComponentPrecision rejects a choice, or if a
  /// choice names no component or a higher precision than `precision`.
  static FailureOr<ComponentPrecisions> get(ModuleOp module,
                                            kernel::TargetAttr target,
                                            Precision precision,
                                            ArrayRef<std::string> choices);

  /// The precision of `component`, a component of a network or a part of one.
  Precision lookup(Operation *component) const;
  /// The measured error of this component, or of the component it is part of;
  /// null if there is none.
  FloatAttr lookupError(Operation *component) const;

private:
  ComponentPrecisions(Precision precision, kernel::TargetAttr target)
      : precision(precision), target(target) {}

  void chooseForReadersOfInputs(ModuleOp module);
  LogicalResult choose(ModuleOp module, StringRef choice);
  Precision getFast(Precision wanted) const;

  Precision precision;
  kernel::TargetAttr target; ///< null for devices
  /// Components of networks with another precision.
  DenseMap<Operation *, Precision> others;
  DenseMap<Operation *, double> errors;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_COMPONENTPRECISIONS_H
