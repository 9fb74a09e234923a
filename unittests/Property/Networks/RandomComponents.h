//===- RandomComponents.h - Networks that draw, or repair -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_NETWORKS_RANDOMCOMPONENTS_H
#define NNET3_UNITTESTS_PROPERTY_NETWORKS_RANDOMCOMPONENTS_H

#include "Random.h"

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

namespace mlir::nnet3::property {

/// Lets random components draw numbers, which networks do not do that are
/// compared with a definition: sets their mode, and changes what they draw.
/// Returns whether there are any.
bool drawNumbers(NetworkOp network, Random &random);

/// Lets components repair themselves by their statistics, and clip derivatives:
/// networks do not that are compared with derivatives of another kind. Returns
/// whether any repairs itself.
bool repairAndClip(NetworkOp network, Random &random);

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_NETWORKS_RANDOMCOMPONENTS_H
