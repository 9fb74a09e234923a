//===- KernelInterfaces.h - Components as generated code --------*- C++ -*-===//

#ifndef NNET3_FUSION_KERNELINTERFACES_H
#define NNET3_FUSION_KERNELINTERFACES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpDefinition.h"

#include "nnet3/Fusion/KernelInterfaces.h.inc"

namespace mlir::nnet3 {

/// Attaches the interfaces to the component ops that have generated code.
void registerKernelModels(DialectRegistry &registry);

} // namespace mlir::nnet3

#endif // NNET3_FUSION_KERNELINTERFACES_H
