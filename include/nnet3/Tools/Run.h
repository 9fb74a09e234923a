//===- Run.h - What nnet3-run does ------------------------------*- C++ -*-===//
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

/// What computes.
struct Runners {
  /// What `--backend` says, or the library that is the model.
  std::unique_ptr<RequestRunner> backend;
  /// The same if it is the interpreter, or what has the model's parameters
  /// where a GPU computes their gradient; else null.
  NnetRunner *interpreter = nullptr;
  /// The same if it is a library; else null.
  LibraryRunner *compiled = nullptr;
  /// What trains, where that is asked for; `backend` is the interpreter then.
  std::unique_ptr<RequestTrainer> trainer;
  /// The network as a stream, with `--streaming`; else null.
  StreamOp stream;
  /// What `--compare` says; null without.
  std::unique_ptr<RequestRunner> reference;
};

/// Runs the network over a table of features, as Kaldi's nnet3-compute: one
/// output matrix per utterance. Utterances that lack something are passed over
/// with a warning; dims that do not fit, and files that cannot be read or
/// written, end the run with an error. What has been written until then are
/// whole utterances. Success if there is no error, and at least one utterance
/// is done. (spec: nnet3bin.md 7)
llvm::LogicalResult runTables(const Runners &runners,
                              const RunOptions &options);

/// Turns the network into a stream, as the options say, and puts its requests
/// into `module`.
FailureOr<StreamOp> makeStream(ModuleOp module, NetworkOp network,
                               const RunOptions &options);

/// What computes streams with `runner`, the backend or the reference.
FailureOr<std::unique_ptr<StreamedComputer>>
makeStreamedComputer(const Runners &runners, RequestRunner &runner,
                     const RunOptions &options);

/// Runs the network over frames that arrive line by line in `options.features`,
/// and writes each output as soon as it can be computed, a line for each. An
/// empty line ends an utterance. Prints how long outputs took behind their
/// frames. A line that is no frame ends the run with an error.
llvm::LogicalResult runLive(const Runners &runners, const RunOptions &options);

/// Computes the outputs `options.outputName` of a table of training examples,
/// as Kaldi's nnet3-compute-from-egs: one matrix per example, or minibatch.
/// Success if there is no error, and at least one example. (spec: nnet3bin.md
/// 8)
llvm::LogicalResult runExamples(RequestRunner &runner,
                                const RunOptions &options);

/// Computes the one request in `options.request`, on the matrices of
/// `options.inputs` and `options.outputDerivs`, and writes what the options ask
/// for: all files, or none if anything fails. Without any derivative among the
/// options, those that the request asks for are left out.
llvm::LogicalResult runRequest(const Runners &runners,
                               const RunOptions &options);

/// Trains `options.trainingSteps` times on the request, with the matrices of
/// `options.inputs` and, as supervision, of `options.outputDerivs`, prints a
/// line about each step, and writes the model.
llvm::LogicalResult trainRequest(const Runners &runners,
                                 const RunOptions &options);

/// The main functions of nnet3-run, nnet3-compute and nnet3-compute-batch.
int runMain(int argc, char **argv);
int computeMain(int argc, char **argv);
int computeBatchMain(int argc, char **argv);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_RUN_H
