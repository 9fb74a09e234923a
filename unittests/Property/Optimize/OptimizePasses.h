//===- OptimizePasses.h - Lists of optimisations ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_OPTIMIZE_OPTIMIZEPASSES_H
#define NNET3_UNITTESTS_PROPERTY_OPTIMIZE_OPTIMIZEPASSES_H

#include "Networks/Random.h"

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"
#include "nnet3/Optimize/Pipeline.h"

#include <string>
#include <vector>

namespace mlir::nnet3::property {

/// Passes over a computation, in the order in which they run, each as textual
/// pipelines have it: `nnet3-merge-variables{remove-assignments=false}`.
using PassList = std::vector<std::string>;

/// The passes of the pipeline nnet3-optimize.
PassList getPipeline(const OptimizeOptions &options = {});

/// The pipeline with some of its switches off.
PassList drawSwitches(Random &random);
/// Some of the passes, in an order that may differ from the pipeline's where
/// that is allowed; some run twice.
PassList drawOrder(Random &random);

/// Runs `passes` over a computation, with the checker in front of them and
/// behind each. What is wrong, or "".
std::string runPasses(ComputationOp computation, const PassList &passes);

/// Whether matrices are kept as integers that stand for more than signs.
bool roundsMatrices(ComputationOp computation);

/// The nnet3-opt command that compiles case.mlir by the pass `compiler`, with
/// `options`, and runs `passes`.
std::string getCommand(const std::string &compiler, const std::string &options,
                       const PassList &passes);

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_OPTIMIZE_OPTIMIZEPASSES_H
