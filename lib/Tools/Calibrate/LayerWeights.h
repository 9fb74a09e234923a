//===- LayerWeights.h - Weights of layers, and their inputs -----*- C++ -*-===//
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

/// Returns the component of a node if it multiplies whole rows by its weights:
/// an affine component, with or without time offsets. Otherwise null: weights
/// of convolutions, of blocks and of parts of components are rounded without
/// measurements.
AffineKernelInterface getRowWeights(ComponentNodeOp node);

/// Returns E[x x^T] for the inputs x of the weights of `node`, over all frames
/// of the data. getRowWeights() must not be null. Emits errors.
FailureOr<DoubleMatrix> measureMoments(ComponentNodeOp node,
                                       const CalibrationData &data,
                                       const UtteranceOptions &options);

/// Rounds the weights to int8 or bf16 such that the outputs change little for
/// inputs with these moments. Emits errors.
FailureOr<ElementsAttr> roundWeights(AffineKernelInterface component,
                                     const DoubleMatrix &moments,
                                     Precision precision);

} // namespace mlir::nnet3

#endif // LIB_TOOLS_CALIBRATE_LAYERWEIGHTS_H
