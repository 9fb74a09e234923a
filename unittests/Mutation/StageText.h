//===- StageText.h - Stages of random networks as text ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_MUTATION_STAGETEXT_H
#define NNET3_UNITTESTS_MUTATION_STAGETEXT_H

#include "Networks/Random.h"
#include "nnet3/Pipelines/NativeCode.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::nnet3::mutation {

/// A stage of what becomes of a request.
struct Form {
  Stage stage;
  bool device = false;
  /// With derivatives and updates; on a CPU for two threads.
  bool training = false;
  /// Behind fused commands: operations of the kernel dialect.
  bool operations = false;
  /// With the requests of a stream.
  bool stream = false;
};

/// All forms, in a fixed order.
const std::vector<Form> &getForms();
std::string getName(const Form &form);

/// A context with the dialects of all stages.
std::unique_ptr<MLIRContext> makeStageContext();

/// The module of the random network number `seed` at `form`; empty if that
/// cannot be compiled. The generic form of operations, with `generic`.
std::string getText(MLIRContext &context, uint64_t seed, const Form &form,
                    bool generic);

/// Runs what is behind `form` on a module that was edited: the next stage,
/// and with `random` those behind it up to what is written to files.
void runRest(ModuleOp module, const Form &form, property::Random &random);

} // namespace mlir::nnet3::mutation

#endif // NNET3_UNITTESTS_MUTATION_STAGETEXT_H
