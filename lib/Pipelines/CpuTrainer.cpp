//===- CpuTrainer.cpp - Training steps by the interpreter -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Pipelines/CpuTrainer.h"

using namespace nnet3;
using namespace mlir;

FailureOr<std::shared_ptr<const runtime::Program>>
CpuTrainer::prepare(mlir::nnet3::RequestOp request) {
  auto program = interpreter.load(request);
  if (failed(program) || trainer)
    return program;
  auto made = runtime::Trainer::create(*program, options);
  if (!made.ok())
    return request.emitError(made.status().message());
  trainer = std::move(*made);
  return program;
}
