//===- ChainFuzzer.cpp - Any bytes as chain examples ----------------------===//
#include "ExampleRoundTrip.h"
#include "nnet3/Target/Kaldi/ChainExamples.h"

using namespace nnet3;
using namespace nnet3::fuzz;

using Archive =
    ExampleArchive<NnetChainExample, readChainExample, writeChainExample>;

/// The number of arcs that concatenation may add.
static int64_t countNewArcs(const CompactFst &graph) {
  return graph.start < 0 ? 0
                         : int64_t(graph.states.size()) *
                               graph.states[graph.start].arcs.size();
}

/// Two of the same make a minibatch, or are minibatches already.
static void checkMerge(const NnetChainExample &example) {
  for (const NnetIo &io : example.inputs)
    if (getNumRows(io.features) * getNumCols(io.features) > 1 << 20)
      return;
  for (const ChainSupervision &output : example.outputs)
    for (const CompactFst &graph : output.graphs)
      if (countNewArcs(graph) > 1 << 18)
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
