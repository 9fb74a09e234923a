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

/// The stages of compilation of a network with requests.
enum class Stage {
  Network,   ///< as it was read
  Commands,  ///< computations of the requests
  Optimized, ///< after the optimisations
  Fused,     ///< with fused commands
  Kernels,   ///< functions of kernel operations
  Loops,     ///< functions, loops and vectors
  Lowered,   ///< the LLVM dialect
};

/// The stages after `from`, up to and including `to`. A single Stage converts
/// to all stages up to it.
struct StageRange {
  StageRange(Stage to) : to(to) {}
  StageRange(Stage from, Stage to) : from(from), to(to) {}

  bool has(Stage stage) const { return from < stage && stage <= to; }

  Stage from = Stage::Network, to;
};

/// Adds the passes of `stages` that all targets share, up to fused commands.
/// Matmuls have `precision`; the commands are for a GPU if `device` is set,
/// else for a CPU. Without `editNetwork`, networks are not changed.
void addCommandPasses(OpPassManager &module, StageRange stages, bool testMode,
                      Precision precision = Precision::F32, bool device = false,
                      bool editNetwork = true);

/// Edits the networks of `module` like the passes for requests. The networks
/// must be in the mode that they run in. Streams of these networks then compute
/// the same numbers as requests for whole utterances.
LogicalResult prepareForStreams(ModuleOp module, Precision precision,
                                bool device = false);

/// Adds the passes of `stages` for a module of networks and requests. With
/// `testMode`, first sets the networks to test mode. `target` is the CPU,
/// `precision` the number format of matmuls. Without `editNetwork`, networks
/// are not changed otherwise.
void addNativePasses(OpPassManager &module, StageRange stages,
                     const kernel::KernelSetTargetOptions &target = {},
                     bool testMode = true,
                     const MatmulPrecision &precision = {},
                     bool editNetwork = true);

/// Whether `request` has a backward pass.
bool hasDerivatives(RequestOp request);

/// Whether `request` has derivatives or statistics, so that matrices of the
/// forward pass are needed after it.
bool isTraining(RequestOp request);

/// Options of the code of requests with derivatives or statistics.
struct TrainingCode {
  /// Whether to compute updates of training steps instead of plain gradients
  /// (`convert-nnet3-to-kernels{updates}`).
  bool updates = false;
  /// Optimisation of commands. Passes that share memory between matrices are
  /// not run, because the arena planner does that better.
  OptimizeOptions optimization = {};
  /// Number of threads that run the code together.
  int64_t threads = 1;
  /// Whether other processes compute parts of the same minibatch
  /// (`convert-nnet3-to-kernels{shared}`).
  bool isShared = false;
};

/// Adds the passes up to fused commands for requests with a backward pass,
/// which reads matrices that most fusions would remove.
void addTrainingPasses(OpPassManager &module, OptimizeOptions optimization);

/// Like addNativePasses, but for requests with a backward pass. Does not set
/// test mode.
void addNativeTrainingPasses(OpPassManager &module, StageRange stages,
                             const TrainingCode &training,
                             const kernel::KernelSetTargetOptions &target = {});

/// Adds the pass that records the last one of `stages` and the target, "cpu" or
/// "cuda", unless `stages` is empty.
void recordStage(OpPassManager &module, StageRange stages,
                 llvm::StringRef target);

/// The main function of nnet3-compile.
int compileMain(int argc, char **argv);

} // namespace mlir::nnet3

#endif // NNET3_PIPELINES_NATIVECODE_H
