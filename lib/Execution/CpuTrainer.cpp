//===- CpuTrainer.cpp - Training steps by the interpreter -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/CpuTrainer.h"

using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

FailureOr<std::unique_ptr<rt::Trainer>>
CpuTrainer::createTrainer(NnetRunner &interpreter,
                          const rt::TrainerOptions &options) {
  auto program = interpreter.loadModelProgram();
  if (failed(program))
    return failure();
  auto trainer = rt::Trainer::create(*program, options);
  if (!trainer.ok())
    return interpreter.getNetwork().emitError(trainer.status().message());
  return std::move(*trainer);
}

FailureOr<std::unique_ptr<CpuTrainer>>
CpuTrainer::create(NnetRunner &interpreter, const rt::TrainerOptions &options) {
  auto trainer = createTrainer(interpreter, options);
  if (failed(trainer))
    return failure();
  return std::unique_ptr<CpuTrainer>(
      new CpuTrainer(interpreter, std::move(*trainer)));
}
