//===- CpuTrainer.cpp - Training steps by the interpreter -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/CpuTrainer.h"

using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

FailureOr<std::shared_ptr<const rt::Program>>
CpuTrainer::prepare(mlir::nnet3::RequestOp request) {
  auto program = interpreter.load(request);
  if (failed(program) || trainer)
    return program;
  auto made = rt::Trainer::create(*program, options);
  if (!made.ok())
    return request.emitError(made.status().message());
  trainer = std::move(*made);
  return program;
}
