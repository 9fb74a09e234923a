//===- RandomComponents.h - Random components, self-repair ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_NETWORKS_RANDOMCOMPONENTS_H
#define NNET3_UNITTESTS_PROPERTY_NETWORKS_RANDOMCOMPONENTS_H

#include "Random.h"

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

namespace mlir::nnet3::property {

/// Makes random components draw numbers: sets their mode and their
/// distributions. Networks that are compared with a definition do not draw.
/// Returns true if there are any.
bool drawNumbers(NetworkOp network, Random &random);

/// Enables self-repair and clipping of derivatives, which networks that are
/// compared with other derivatives do not have. Returns true if any component
/// repairs itself.
bool repairAndClip(NetworkOp network, Random &random);

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_NETWORKS_RANDOMCOMPONENTS_H
