//===- ExampleFuzzer.cpp - Any bytes as training examples -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ExampleRoundTrip.h"
#include "nnet3/Kaldi/Examples/Examples.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using namespace mlir::nnet3::fuzz;

using Archive = ExampleArchive<NnetExample, readExample, writeExample>;

/// Merges two copies into a minibatch, unless they are minibatches already.
static void checkMerge(const NnetExample &example) {
  for (const NnetIo &io : example.io)
    if (getNumRows(io.features) * getNumCols(io.features) > 1 << 20)
      return;
  auto merged = mergeExamples({&example, &example});
  if (!merged)
    return llvm::consumeError(merged.takeError());
  for (NnetIo &io : merged->io)
    compressIo(io);
  Archive::checkRoundTrip(*merged);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  KaldiReader reader({reinterpret_cast<const char *>(data), size}, "fuzz");
  NnetExample example;
  while (Archive::readRecord(reader, example)) {
    Archive::checkRoundTrip(example);
    checkMerge(example);
  }
  llvm::consumeError(reader.takeError());
  return 0;
}
