//===- ProgramTranslations.cpp - Computations as program files ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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
