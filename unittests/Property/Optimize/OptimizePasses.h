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

/// Passes over a computation in order, each as in textual pipelines:
/// `nnet3-merge-variables{remove-assignments=false}`.
using PassList = std::vector<std::string>;

/// Returns the passes of the pipeline nnet3-optimize.
PassList getPipeline(const OptimizeOptions &options = {});

/// Returns the pipeline with random switches off.
PassList drawSwitches(Random &random);
/// Returns some of the passes, in a random order where that is allowed; some
/// run twice.
PassList drawOrder(Random &random);

/// Runs `passes` over a computation, with the checker before and after each.
/// Returns an error message, or "".
std::string runPasses(ComputationOp computation, const PassList &passes);

/// Returns true if matrices are compressed to integers that represent more than
/// signs.
bool roundsMatrices(ComputationOp computation);

/// Returns the nnet3-opt command that compiles case.mlir with the pass
/// `compiler` and `options`, and runs `passes`.
std::string getCommand(const std::string &compiler, const std::string &options,
                       const PassList &passes);

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_OPTIMIZE_OPTIMIZEPASSES_H
