//===- RunOptions.h - The command line of nnet3-run -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_RUNOPTIONS_H
#define NNET3_TOOLS_RUNOPTIONS_H

#include "nnet3/Execution/BatchedComputer.h"
#include "nnet3/Execution/Chunking.h"
#include "nnet3/Optimize/Pipeline.h"
#include "nnet3/Tools/OptionParser.h"
#include "nnet3/Tools/SoundFeatures.h"
#include "nnet3/Tools/UtteranceOptions.h"
#include "nnet3/runtime/Trainer.h"

namespace mlir::nnet3 {

/// A `NAME=MATRIX` of the command line.
struct NamedFile {
  std::string name, file;
};

/// The programs that run networks over tables.
enum class RunProgram { Run, Compute, ComputeBatch };

/// Everything that can be said to nnet3-run. nnet3-compute and
/// nnet3-compute-batch have only its options about tables of features.
struct RunOptions : UtteranceOptions {
  explicit RunOptions(RunProgram program = RunProgram::Run) : program(program) {
    if (program == RunProgram::ComputeBatch)
      batches.minibatchSize = 128;
  }

  RunProgram program;
  // What both modes share.
  std::string model;
  /// What computes: `interpreter` or `native`.
  std::string backend = "interpreter";
  /// The backend that `backend` is compared with; empty for none.
  std::string compare;
  /// In which numbers the native backend multiplies: f32, bf16, fp16, int16 or
  /// int8.
  std::string precision = "f32";
  /// Components with another one: NAME:PRECISION, with commas between them.
  std::string componentPrecisions;
  /// How many frames of each shape the interpreter computes before machine code
  /// does; -1: the default.
  int32_t nativeAfter = -1;
  /// Threads that share the rows of large matrix products in machine code.
  int32_t numThreads = 1;
  uint64_t initSeed = 0;
  /// Components keep the mode that the model has.
  bool trainMode = false;
  bool printArgs = true;
  bool debugComputation = false;
  OptimizeOptions optimization;
  int32_t verbose = 0;
  /// How many compiled requests are kept in memory.
  int32_t cacheCapacity = 64;
  /// Folder with the programs of earlier runs, and how large it gets.
  std::string programCache;
  int32_t programCacheMegabytes = 1024;

  // Features from tables (nnet3-compute).
  std::string features, output;
  SoundOptions sound;
  std::string useGpu = "yes";
  bool allowScpPipes = false;
  BatchOptions batches;
  /// With nnet3-compute-batch, utterances shorter than a chunk are computed at
  /// their own length.
  bool ensureExactFinalContext = false;
  /// Utterances are streams.
  bool streaming = false, allowChunkedRecurrence = false;
  /// Frames and outputs are lines of text, as they come.
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

  /// Whether a derivative is given or asked for.
  bool wantsDerivatives() const {
    return !inputDerivs.empty() || !outputDerivs.empty() || !modelDeriv.empty();
  }

  /// Whether the run has a backward pass, or keeps statistics.
  bool trains() const { return wantsDerivatives() || !modelStats.empty(); }

  /// Whether components are put in test mode: nothing but outputs is computed,
  /// and nobody wants them as in training.
  bool isInference() const {
    return !trainMode && !trains() && trainedModel.empty();
  }

  /// How many frames of each chunk shape the interpreter computes before
  /// machine code does. The default depends on the options alone: the same
  /// command gives the same bytes, whatever is in the program cache.
  int64_t getNativeAfter() const;

  /// What `--compare` compares with what.
  std::string describeComparison() const {
    return backend + " against " + compare;
  }

  /// Registers all options with `parser`, which must not outlive this.
  void registerOptions(OptionParser &parser);

  /// Takes the positional arguments and checks that everything fits together.
  /// `parser` knows what was given.
  llvm::Error finish(llvm::ArrayRef<std::string> positional,
                     const OptionParser &parser);

  /// Checks that nothing is asked for that only machine code can do, where the
  /// model is no library.
  llvm::Error checkModel() const;

  /// Checks that nothing is asked for that needs more of the model than a
  /// library has.
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

  // As given, before finish().
  std::vector<std::string> inputTexts, outputTexts, inputDerivTexts,
      outputDerivTexts;
};

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_RUNOPTIONS_H
