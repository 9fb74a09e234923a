//===- AffineNodes.h - Affine maps of ONNX as components --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LIB_TARGET_ONNX_IMPORT_AFFINENODES_H
#define LIB_TARGET_ONNX_IMPORT_AFFINENODES_H

#include "OnnxImporter.h"

namespace mlir::nnet3 {

/// Adds the component x W^T + b, or x W^T if the bias is empty, and a node for
/// it. `matrix` has one row per output.
FailureOr<Descriptor> addAffine(OnnxImporter &importer, const OnnxNode &node,
                                ArrayRef<float> matrix, int64_t inputDim,
                                int64_t outputDim, ArrayRef<float> bias,
                                const Descriptor &input);

/// Returns the bias of `dim` elements, an input of a node; none if it is
/// absent.
FailureOr<std::vector<float>> getBias(OnnxImporter &importer,
                                      const OnnxNode &node, size_t input,
                                      int64_t dim);

} // namespace mlir::nnet3

#endif // LIB_TARGET_ONNX_IMPORT_AFFINENODES_H
