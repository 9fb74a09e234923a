//===- EditsFuzzer.cpp - Any text as edit directives ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FuzzContext.h"
#include "nnet3/Surgery/Passes.h"
#include "nnet3/Target/Kaldi/Edits.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir::nnet3;
using namespace mlir::nnet3::fuzz;

/// Checks that every accepted edit is a pass.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const bool registered = (registerNnet3SurgeryPasses(), true);
  (void)registered;
  beginInput();
  auto edits = readEdits({asText(data, size), "fuzz.edits"}, &getFuzzContext());
  if (failed(edits))
    return 0;
  for (const Edit &edit : *edits) {
    mlir::PassManager passes(&getFuzzContext(), NetworkOp::getOperationName());
    require(
        succeeded(mlir::parsePassPipeline(edit.pass, passes, llvm::nulls())),
        "an edit is no pass");
  }
  return 0;
}
