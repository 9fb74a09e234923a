//===- Run.h - The modes of nnet3-run ---------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_RUN_H
#define NNET3_TOOLS_RUN_H

#include "nnet3/Dialect/Nnet3/IR/StreamOps.h"
#include "nnet3/Execution/LibraryRunner.h"
#include "nnet3/Execution/NnetRunner.h"
#include "nnet3/Execution/RequestTrainer.h"
#include "nnet3/Execution/StreamedComputer.h"
#include "nnet3/Tools/RunOptions.h"

namespace mlir::nnet3 {

/// The runners of a run of nnet3-run.
struct Runners {
  /// The runner of `--backend`, or of the library that is the model.
  std::unique_ptr<RequestRunner> backend;
  /// `backend`, if it is the interpreter. If another backend computes
  /// derivatives or statistics, an interpreter that has the model's parameters.
  /// Else null.
  NnetRunner *interpreter = nullptr;
  /// `backend`, if it is a library; else null.
  LibraryRunner *compiled = nullptr;
  /// The trainer, if training is requested; `backend` is then the interpreter.
  std::unique_ptr<RequestTrainer> trainer;
  /// The network as a stream, with `--streaming`; else null.
  StreamOp stream;
  /// The runner of `--compare`; null without it.
  std::unique_ptr<RequestRunner> reference;
};

/// Runs the network on a table of features like Kaldi's nnet3-compute, with one
/// output matrix per utterance. Skips incomplete utterances with a warning;
/// wrong dims, and files that cannot be read or written, end the run with an
/// error, after which the output has only whole utterances. Succeeds if there
/// is no error and at least one utterance was computed. (spec: nnet3bin.md 7)
llvm::LogicalResult runTables(const Runners &runners,
                              const RunOptions &options);

/// Creates the stream of the network for the options, with its requests, in
/// `module`.
FailureOr<StreamOp> makeStream(ModuleOp module, NetworkOp network,
                               const RunOptions &options);

/// Creates a computer of streams with `runner`, the backend or the reference.
FailureOr<std::unique_ptr<StreamedComputer>>
makeStreamedComputer(const Runners &runners, RequestRunner &runner,
                     const RunOptions &options);

/// Runs the network on frames that arrive line by line in `options.features`,
/// and writes a line for each output as soon as it can be computed. An empty
/// line ends an utterance. Prints the latency of outputs after their frames. A
/// line that is not a frame ends the run with an error.
llvm::LogicalResult runLive(const Runners &runners, const RunOptions &options);

/// Computes the outputs `options.outputName` of a table of training examples
/// like Kaldi's nnet3-compute-from-egs, with one matrix per example or
/// minibatch. Succeeds if there is no error and at least one example. (spec:
/// nnet3bin.md 8)
llvm::LogicalResult runExamples(RequestRunner &runner,
                                const RunOptions &options);

/// Computes the request in `options.request` on the matrices of
/// `options.inputs` and `options.outputDerivs`, and writes the requested files:
/// all files, or none if anything fails. If the options have no derivatives,
/// derivatives in the request are ignored.
llvm::LogicalResult runRequest(const Runners &runners,
                               const RunOptions &options);

/// Runs `options.trainingSteps` training steps on the request, with the
/// matrices of `options.inputs` and, as supervision, of `options.outputDerivs`.
/// Prints a line about each step, and writes the model.
llvm::LogicalResult trainRequest(const Runners &runners,
                                 const RunOptions &options);

/// The main functions of nnet3-run, nnet3-compute and nnet3-compute-batch.
int runMain(int argc, char **argv);
int computeMain(int argc, char **argv);
int computeBatchMain(int argc, char **argv);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_RUN_H
