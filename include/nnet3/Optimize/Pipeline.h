//===- Pipeline.h - The optimisations in their order ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_OPTIMIZE_PIPELINE_H
#define NNET3_OPTIMIZE_PIPELINE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <limits>

namespace mlir {
class OpPassManager;
}

namespace mlir::nnet3 {

/// Switches of the optimisations (spec: optimize.md 3).
struct OptimizeOptions {
  int32_t minDerivTime = std::numeric_limits<int32_t>::min();
  int32_t maxDerivTime = std::numeric_limits<int32_t>::max();
  int32_t maxDerivTimeRelative = std::numeric_limits<int32_t>::max();
  int32_t memoryCompressionLevel = 1;
  bool optimize = true;
  bool consolidateModelUpdate = true;
  bool convertAddition = true;
  bool snipRowOps = true;
  bool splitRowOps = true;
  bool optimizeRowOps = true;
  bool extendMatrices = true;
  bool removeAssignments = true;
  bool propagateInPlace = true;
  bool backpropInPlace = true;
  bool allowLeftMerge = true;
  bool allowRightMerge = true;
  bool initializeUndefined = true;
  bool moveSizingCommands = true;
  bool allocateFromOther = true;
  /// Check the computation before and after each pass; not an option of Kaldi.
  bool check = false;

  /// Calls `fn` with each boolean option, its name in Kaldi's --optimization.*
  /// options, and its help text.
  void forEach(llvm::function_ref<void(llvm::StringRef name, bool &value,
                                       llvm::StringRef help)>
                   fn);
  /// Does the same for the numeric options.
  void
  forEachNumber(llvm::function_ref<void(llvm::StringRef name, int32_t &value,
                                        llvm::StringRef help)>
                    fn);
  /// Whether derivatives are limited to a range of times, which requires debug
  /// information.
  bool limitsDerivativeTimes() const;
};

/// Adds the passes that `options` enable to a pass manager of computations.
void addOptimizePasses(OpPassManager &computations,
                       const OptimizeOptions &options);

/// Registers the pipeline nnet3-optimize, over modules or computations, with
/// OptimizeOptions as its options.
void registerOptimizePipeline();

} // namespace mlir::nnet3

#endif // NNET3_OPTIMIZE_PIPELINE_H
