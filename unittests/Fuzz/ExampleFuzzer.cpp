//===- ExampleFuzzer.cpp - Any bytes as training examples -----------------===//
#include "FuzzTarget.h"
#include "nnet3/Target/Kaldi/Examples.h"
#include "nnet3/Target/Kaldi/Reader.h"
#include "nnet3/Target/Kaldi/Writer.h"
#include "llvm/Support/raw_ostream.h"

using namespace nnet3;
using namespace nnet3::fuzz;

/// Reads the next record of an archive; false at the end or at an error.
static bool readRecord(KaldiReader &reader, NnetExample &example) {
  std::string key;
  reader.skipSpace();
  return !reader.atEnd() && succeeded(reader.readKey(key)) &&
         succeeded(reader.readHeader()) &&
         succeeded(readExample(reader, example));
}

static std::string write(const NnetExample &example, bool binary) {
  std::string written;
  llvm::raw_string_ostream os(written);
  os << "key ";
  KaldiWriter writer(os, binary);
  writer.writeHeader();
  writeExample(writer, example);
  return written;
}

/// What is written reads back, in binary to the same.
static void checkRoundTrip(const NnetExample &example) {
  for (bool binary : {true, false}) {
    std::string written = write(example, binary);
    KaldiReader reader(written, "fuzz");
    NnetExample again;
    require(readRecord(reader, again), "an example cannot be read again");
    require(!binary || write(again, binary) == written, "an example changes");
  }
}

/// Two of the same make a minibatch, or are minibatches already.
static void checkMerge(const NnetExample &example) {
  for (const NnetIo &io : example.io)
    if (getNumRows(io.features) * getNumCols(io.features) > 1 << 20)
      return;
  auto merged = mergeExamples({example, example});
  if (!merged)
    return llvm::consumeError(merged.takeError());
  compressExample(*merged);
  checkRoundTrip(*merged);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  KaldiReader reader({reinterpret_cast<const char *>(data), size}, "fuzz");
  NnetExample example;
  while (readRecord(reader, example)) {
    checkRoundTrip(example);
    checkMerge(example);
  }
  llvm::consumeError(reader.takeError());
  return 0;
}
