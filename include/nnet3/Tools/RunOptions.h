//===- RunOptions.h - The command line of nnet3-run -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_RUNOPTIONS_H
#define NNET3_TOOLS_RUNOPTIONS_H

#include "nnet3/Execution/BatchedComputer.h"
#include "nnet3/Execution/Chunking.h"
#include "nnet3/Optimize/Pipeline.h"
#include "nnet3/Tools/Common/OptionParser.h"
#include "nnet3/Tools/Common/UtteranceOptions.h"
#include "nnet3/Tools/SoundFeatures.h"
#include "nnet3/runtime/Trainer.h"

namespace mlir::nnet3 {

/// A `NAME=MATRIX` of the command line.
struct NamedFile {
  std::string name, file;
};

/// The programs that run networks on tables.
enum class RunProgram { Run, Compute, ComputeBatch };

/// The options of nnet3-run. nnet3-compute and nnet3-compute-batch have only
/// the options for tables of features.
struct RunOptions : UtteranceOptions {
  explicit RunOptions(RunProgram program = RunProgram::Run) : program(program) {
    if (program == RunProgram::ComputeBatch)
      batches.minibatchSize = 128;
  }

  RunProgram program;
  // Options of all modes.
  std::string model;
  /// The backend: `interpreter`, `native` or `cuda`.
  std::string backend = "interpreter";
  /// The backend that `backend` is compared with; empty for none.
  std::string compare;
  /// The precision of matmuls in the native backend: f32, bf16, fp16, int16 or
  /// int8.
  std::string precision = "f32";
  /// Components with another precision: a comma-separated list of
  /// NAME:PRECISION.
  std::string componentPrecisions;
  /// Number of frames of each chunk shape that the interpreter computes before
  /// machine code does; -1 for the default.
  int32_t nativeAfter = -1;
  /// Number of threads that share the rows of large matmuls in machine code.
  int32_t numThreads = 1;
  uint64_t initSeed = 0;
  /// Whether components keep the mode that the model has.
  bool trainMode = false;
  bool printArgs = true;
  bool debugComputation = false;
  OptimizeOptions optimization;
  int32_t verbose = 0;
  /// Maximum number of compiled requests in memory.
  int32_t cacheCapacity = 64;
  /// Folder with the programs of earlier runs, and its maximum size.
  std::string programCache;
  int32_t programCacheMegabytes = 1024;

  // Features from tables (nnet3-compute).
  std::string features, output;
  SoundOptions sound;
  std::string useGpu = "yes";
  bool allowScpPipes = false;
  BatchOptions batches;
  /// With nnet3-compute-batch, whether utterances that are shorter than a chunk
  /// are computed without padding.
  bool ensureExactFinalContext = false;
  /// Whether utterances are computed as streams.
  bool streaming = false, allowChunkedRecurrence = false;
  /// Whether frames arrive, and outputs are written, as lines of text.
  bool live = false;
  GivenChunkOptions givenChunkOptions;

  // Training examples from a table, `features`.
  bool egs = false;
  std::string outputName = "output";

  // One request.
  std::string request;
  bool binary = true;
  std::vector<NamedFile> inputs, outputs, inputDerivs, outputDerivs;
  /// Raw models to write: the gradient, and the network with the statistics of
  /// the run.
  std::string modelDeriv, modelStats;

  /// Raw model to write after training steps on the request; empty for none.
  std::string trainedModel;
  int32_t trainingSteps = 1;
  ::nnet3::rt::TrainerOptions training;

  /// Whether chunks of several utterances are computed at once.
  bool isBatched() const {
    return program == RunProgram::ComputeBatch || batches.minibatchSize > 1;
  }

  /// Whether a derivative is given or requested.
  bool wantsDerivatives() const {
    return !inputDerivs.empty() || !outputDerivs.empty() || !modelDeriv.empty();
  }

  /// Whether the run has a backward pass or stores statistics.
  bool trains() const { return wantsDerivatives() || !modelStats.empty(); }

  /// Whether components are set to test mode: only outputs are computed, and
  /// training mode is not requested.
  bool isInference() const {
    return !trainMode && !trains() && trainedModel.empty();
  }

  /// Returns the number of frames of each chunk shape that the interpreter
  /// computes before machine code does. The default depends on the options
  /// only, not on the program cache, so that equal commands give equal bytes.
  int64_t getNativeAfter() const;

  /// Returns a text with the backends that `--compare` compares.
  std::string describeComparison() const {
    return backend + " against " + compare;
  }

  /// Registers all options with `parser`, which must not outlive this object.
  void registerOptions(OptionParser &parser);

  /// Sets the positional arguments and checks that all options are consistent.
  /// `parser` has the options that were given.
  llvm::Error finish(llvm::ArrayRef<std::string> positional,
                     const OptionParser &parser);

  /// Checks, if the model is not a library, that no option needs machine code
  /// that the backend does not have.
  llvm::Error checkModel() const;

  /// Checks, if the model is a library, that no option needs parts of the model
  /// that a library does not have.
  llvm::Error checkLibrary() const;

private:
  llvm::Error finishSound(llvm::StringRef modelArgument);
  /// Whether --backend was given.
  bool givenBackend = false;

  void registerRequestOptions(OptionParser &parser);
  llvm::Error checkBackends() const;
  llvm::Error checkStreaming() const;
  llvm::Error checkBatches() const;
  llvm::Error finishRequest();
  llvm::Error finishTraining(const OptionParser &parser) const;
  llvm::Error finishTables();

  // The texts of options, before finish().
  std::vector<std::string> inputTexts, outputTexts, inputDerivTexts,
      outputDerivTexts;
};

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_RUNOPTIONS_H
