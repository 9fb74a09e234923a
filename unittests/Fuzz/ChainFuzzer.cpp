//===- ChainFuzzer.cpp - Any bytes as chain examples ----------------------===//
#include "ExampleRoundTrip.h"
#include "nnet3/Target/Kaldi/ChainExamples.h"

using namespace nnet3;
using namespace nnet3::fuzz;

using Archive =
    ExampleArchive<NnetChainExample, readChainExample, writeChainExample>;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  KaldiReader reader({reinterpret_cast<const char *>(data), size}, "fuzz");
  NnetChainExample example;
  while (Archive::readRecord(reader, example))
    Archive::checkRoundTrip(example);
  llvm::consumeError(reader.takeError());
  return 0;
}
