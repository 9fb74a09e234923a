//===- ChainFuzzer.cpp - Any bytes as chain examples ----------------------===//
#include "FuzzTarget.h"
#include "nnet3/Target/Kaldi/ChainExamples.h"
#include "nnet3/Target/Kaldi/Reader.h"
#include "nnet3/Target/Kaldi/Writer.h"
#include "llvm/Support/raw_ostream.h"

using namespace nnet3;
using namespace nnet3::fuzz;

/// Reads the next record of an archive; false at the end or at an error.
static bool readRecord(KaldiReader &reader, NnetChainExample &example) {
  std::string key;
  reader.skipSpace();
  return !reader.atEnd() && succeeded(reader.readKey(key)) &&
         succeeded(reader.readHeader()) &&
         succeeded(readChainExample(reader, example));
}

static std::string write(const NnetChainExample &example, bool binary) {
  std::string written;
  llvm::raw_string_ostream os(written);
  os << "key ";
  KaldiWriter writer(os, binary);
  writer.writeHeader();
  writeChainExample(writer, example);
  return written;
}

/// What is written reads back, in binary to the same.
static void checkRoundTrip(const NnetChainExample &example) {
  for (bool binary : {true, false}) {
    std::string written = write(example, binary);
    KaldiReader reader(written, "fuzz");
    NnetChainExample again;
    require(readRecord(reader, again), "an example cannot be read again");
    require(!binary || write(again, binary) == written, "an example changes");
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  KaldiReader reader({reinterpret_cast<const char *>(data), size}, "fuzz");
  NnetChainExample example;
  while (readRecord(reader, example))
    checkRoundTrip(example);
  llvm::consumeError(reader.takeError());
  return 0;
}
