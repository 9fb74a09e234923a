//===- ProgramTranslations.cpp - Computations as program files ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/TestMode.h"
#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"
#include "nnet3/Target/Program/ProgramEmitter.h"
#include "nnet3/Tools/Translate.h"

using mlir::failed;
using mlir::failure;
using mlir::LogicalResult;
using mlir::ModuleOp;
using mlir::OwningOpRef;
using mlir::success;
using mlir::nnet3::ComputationOp;
using mlir::nnet3::RequestOp;

namespace mlir::nnet3 {

/// Returns true if `computation` has a backward pass or stores statistics.
static bool isTraining(ComputationOp computation) {
  return computation
      .walk([](Operation *op) {
        return llvm::isa<BackpropOp, StoreStatsOp>(op) ? WalkResult::interrupt()
                                                       : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Warns that a program for inference has components in training mode, which
/// other tools would run in test mode.
static void warnOfTrainingMode(NetworkOp network) {
  const auto count =
      llvm::count_if(network.getBody().front(), [](Operation &component) {
        return isInTrainingMode(&component);
      });
  if (count > 0)
    network.emitWarning("the program runs ")
        << count << (count == 1 ? " component" : " components")
        << " in training mode; nnet3-opt --nnet3-set-test-mode puts the "
           "network in test mode";
}

static LogicalResult mlirToProgram(TranslationInputs &inputs,
                                   llvm::raw_ostream &os) {
  OwningOpRef<ModuleOp> module = readModule(inputs, inputs.files.front());
  if (!module)
    return failure();
  NetworkOp network = getOnlyNetwork(*module);
  if (!network)
    return failure();
  auto computations = llvm::to_vector(module->getOps<ComputationOp>());
  if (computations.size() != 1)
    return module->emitError("expects one computation, but got ")
           << computations.size();
  if (!isTraining(computations.front()))
    warnOfTrainingMode(network);
  auto parameters = ParameterBlob::create(network);
  if (failed(parameters))
    return failure();
  auto requests = llvm::to_vector(module->getOps<RequestOp>());
  auto program =
      emitProgram(computations.front(), *parameters,
                  requests.size() == 1 ? requests.front() : RequestOp());
  if (failed(program))
    return failure();
  writeProgramFile(*program, *parameters, os);
  return success();
}

void registerProgramTranslations(std::vector<Translation> &translations) {
  translations.push_back({"mlir-to-program",
                          "Write a computation, with its network's parameters, "
                          "as a program file for the runtime",
                          /*takesSeveral=*/false, mlirToProgram});
}

} // namespace mlir::nnet3
