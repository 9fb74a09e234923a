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

/// A stage of compilation, with the properties of its request.
struct Form {
  Stage stage;
  bool device = false;
  /// Whether there are derivatives and updates; on a CPU for two threads.
  bool training = false;
  /// Whether the stage is in the kernel dialect, after fused commands.
  bool operations = false;
  /// Whether the requests are those of a stream.
  bool stream = false;
};

/// Returns all forms in a fixed order.
const std::vector<Form> &getForms();
std::string getName(const Form &form);

/// Returns a context with the dialects of all stages.
std::unique_ptr<MLIRContext> makeStageContext();

/// Returns the text of random network `seed` at `form`; empty if it does not
/// compile. With `generic`, in the generic form of operations.
std::string getText(MLIRContext &context, uint64_t seed, const Form &form,
                    bool generic);

/// Runs the stage after `form` on an edited module and, with `random`, the
/// later stages and the emitters.
void runRest(ModuleOp module, const Form &form, property::Random &random);

} // namespace mlir::nnet3::mutation

#endif // NNET3_UNITTESTS_MUTATION_STAGETEXT_H
