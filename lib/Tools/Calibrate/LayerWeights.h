//===- LayerWeights.h - The weights of a layer on features ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LIB_TOOLS_CALIBRATE_LAYERWEIGHTS_H
#define LIB_TOOLS_CALIBRATE_LAYERWEIGHTS_H

#include "CalibrationData.h"

#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Dialect/Kernel/IR/Precision.h"
#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"
#include "nnet3/Surgery/LinearAlgebra.h"

namespace mlir::nnet3 {

/// The component of a node whose weights are multiplied with whole rows, if it
/// is one, affine or with time offsets. Weights of convolutions, of blocks and
/// of parts of components are rounded without measuring.
AffineKernelInterface getRowWeights(ComponentNodeOp node);

/// E[x x^T] of what the weights of `node` are multiplied with, over all frames
/// of the data; getRowWeights is not null. Emits errors.
FailureOr<DoubleMatrix> measureMoments(ComponentNodeOp node,
                                       const CalibrationData &data,
                                       const UtteranceOptions &options);

/// The weights rounded to int8 or bf16 so that outputs change little for inputs
/// with these moments. Emits errors.
FailureOr<ElementsAttr> roundWeights(AffineKernelInterface component,
                                     const DoubleMatrix &moments,
                                     Precision precision);

} // namespace mlir::nnet3

#endif // LIB_TOOLS_CALIBRATE_LAYERWEIGHTS_H
