//===- Train.h - Programs that train on examples ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_TRAIN_H
#define NNET3_TOOLS_TRAIN_H

#include "nnet3/Execution/NnetRunner.h"
#include "nnet3/Execution/RequestTrainer.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::nnet3 {

/// The main function of nnet3-train.
int trainMain(int argc, char **argv);

/// Creates the trainer of --backend=cuda. Several processes of a machine are
/// numbered from 0; `process` is the number of this one.
using CreateCudaTrainerFn =
    llvm::function_ref<FailureOr<std::unique_ptr<RequestTrainer>>(
        NnetRunner &interpreter, const ::nnet3::rt::TrainerOptions &options,
        int process)>;

/// Like trainMain(), with another trainer for --backend=cuda.
int trainWithCuda(int argc, char **argv, CreateCudaTrainerFn create);

/// The main function of nnet3-compute-prob, which prints the objectives and the
/// accuracy of a network on a table of examples.
int computeProbMain(int argc, char **argv);

/// The main function of nnet3-combine, which writes the best one of the
/// averages of the first n models of a list.
int combineMain(int argc, char **argv);
/// The main function of the same program for chain examples.
int chainCombineMain(int argc, char **argv);

/// The main function of nnet3-show-progress, which prints the difference of the
/// parameters of two models, and its effect on the objective.
int showProgressMain(int argc, char **argv);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_TRAIN_H
