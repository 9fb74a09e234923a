//===- TreeFuzzer.cpp - Any bytes as a decision tree ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FuzzTarget.h"
#include "nnet3/Target/Kaldi/TrainTransitions.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using namespace mlir::nnet3::fuzz;

/// Returns a topology of three phones; the last two have a separate self-loop
/// pdf.
static std::vector<TopologyEntry> makeTopology() {
  HmmState plain{0, 0, {{0, 0.5f}, {1, 0.5f}}};
  HmmState chain{0, 1, {{0, 0.5f}, {1, 0.5f}}};
  return {{{1}, {plain, HmmState()}}, {{2, 3}, {chain, HmmState()}}};
}

/// Checks that the transition model of an accepted tree can be written and
/// read.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  KaldiReader reader({reinterpret_cast<const char *>(data), size}, "fuzz");
  ContextTree tree;
  if (succeeded(reader.readHeader()))
    (void)readContextTree(reader, tree);
  if (llvm::Error error = reader.takeError()) {
    llvm::consumeError(std::move(error));
    return 0;
  }
  auto model = createTransitionModel(tree, makeTopology());
  if (!model) {
    llvm::consumeError(model.takeError());
    return 0;
  }
  TransitionModel again;
  llvm::Error error =
      readPackedTransitionModel(packTransitionModel(*model), again);
  require(!error, "a transition model cannot be read");
  require(again.tuples == model->tuples, "a transition model has changed");
  return 0;
}
