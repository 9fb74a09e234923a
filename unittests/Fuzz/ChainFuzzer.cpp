//===- ChainFuzzer.cpp - Any bytes as chain examples ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ExampleRoundTrip.h"
#include "nnet3/Kaldi/Examples/ChainExamples.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using namespace mlir::nnet3::fuzz;

using Archive =
    ExampleArchive<NnetChainExample, readChainExample, writeChainExample>;

/// Returns true for graphs that are too large: concatenation must not add too
/// many arcs, and text rejects graphs in which many states have no line.
static bool isLarge(const CompactFst &graph) {
  const int64_t numStates = graph.states.size();
  return numStates > 500 ||
         (graph.start >= 0 &&
          numStates * int64_t(graph.states[graph.start].arcs.size()) > 1 << 18);
}

/// Merges two copies into a minibatch, unless they are minibatches already.
static void checkMerge(const NnetChainExample &example) {
  for (const NnetIo &io : example.inputs)
    if (getNumRows(io.features) * getNumCols(io.features) > 1 << 20)
      return;
  for (const ChainSupervision &output : example.outputs)
    if (llvm::any_of(output.graphs, isLarge))
      return;
  auto merged = mergeExamples({&example, &example});
  if (!merged)
    return llvm::consumeError(merged.takeError());
  Archive::checkRoundTrip(*merged);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  KaldiReader reader({reinterpret_cast<const char *>(data), size}, "fuzz");
  NnetChainExample example;
  while (Archive::readRecord(reader, example)) {
    Archive::checkRoundTrip(example);
    checkMerge(example);
  }
  llvm::consumeError(reader.takeError());
  return 0;
}
