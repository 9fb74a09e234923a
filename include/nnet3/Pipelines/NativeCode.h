//===- NativeCode.h - From computations to machine code ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_PIPELINES_NATIVECODE_H
#define NNET3_PIPELINES_NATIVECODE_H

#include "nnet3/Dialect/Kernel/IR/Precision.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"
#include "nnet3/Optimize/Pipeline.h"
#include "nnet3/Target/Cpu/Passes.h"
#include "nnet3/Target/Library/ObjectEmitter.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace mlir::nnet3 {

/// How far to go from a network with requests.
enum class Stage {
  Network,   ///< as it was read
  Commands,  ///< computations of the requests
  Optimized, ///< after the optimisations
  Fused,     ///< with fused commands
  Kernels,   ///< functions of kernel operations
  Loops,     ///< functions, loops and vectors
  Lowered,   ///< the LLVM dialect
};

/// The stages behind `from`, up to `to`. A stage alone is all up to it.
struct StageRange {
  StageRange(Stage to) : to(to) {}
  StageRange(Stage from, Stage to) : from(from), to(to) {}

  bool has(Stage stage) const { return from < stage && stage <= to; }

  Stage from = Stage::Network, to;
};

/// Adds the passes of `stages` that all targets share, up to fused commands.
/// Matmuls have `precision`; the commands are for a GPU if `device`
/// is set, else for a CPU. Without `editNetwork`, networks stay as they are.
void addCommandPasses(OpPassManager &module, StageRange stages, bool testMode,
                      Precision precision = Precision::F32, bool device = false,
                      bool editNetwork = true);

/// Edits the networks of `module`, which are in the mode that they run in, as
/// the passes of requests do. Behind that, streams compute the numbers of
/// requests for whole utterances.
LogicalResult prepareForStreams(ModuleOp module, Precision precision,
                                bool device = false);

/// Adds the passes of `stages` for a module of networks and requests, after
/// setting the networks to test mode if wanted. `target` is the
/// CPU, `precision` the number format of matmuls. Without `editNetwork`,
/// networks stay as they are.
void addNativePasses(OpPassManager &module, StageRange stages,
                     const kernel::KernelSetTargetOptions &target = {},
                     bool testMode = true,
                     const MatmulPrecision &precision = {},
                     bool editNetwork = true);

/// Whether `request` has a backward pass.
bool hasDerivatives(RequestOp request);

/// Whether `request` needs the matrices of the forward pass after that pass: it
/// has derivatives or statistics.
bool isTraining(RequestOp request);

/// How requests that are training become kernels.
struct TrainingCode {
  /// Whether the gradient is that of training steps.
  bool updates = false;
  /// How commands are optimised. Passes that let matrices share memory are left
  /// out, for the plan of the arena does that better.
  OptimizeOptions optimization = {};
  /// How many threads run the code together.
  int64_t threads = 1;
};

/// Adds the passes up to fused commands for requests that have a backward pass,
/// which wants the matrices that most fusion would do without.
void addTrainingPasses(OpPassManager &module, OptimizeOptions optimization);

/// Like addNativePasses, for requests that have a backward pass. Networks stay
/// in their mode.
void addNativeTrainingPasses(OpPassManager &module, StageRange stages,
                             const TrainingCode &training,
                             const kernel::KernelSetTargetOptions &target = {});

/// Adds the pass that records the last one of `stages` and the target, "cpu" or
/// "cuda", if there are any.
void recordStage(OpPassManager &module, StageRange stages,
                 llvm::StringRef target);

/// The main function of nnet3-compile.
int compileMain(int argc, char **argv);

} // namespace mlir::nnet3

#endif // NNET3_PIPELINES_NATIVECODE_H
