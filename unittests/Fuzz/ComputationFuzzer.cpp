//===- ComputationFuzzer.cpp - Any bytes as Kaldi's computations ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FuzzTarget.h"
#include "nnet3/Kaldi/Examples/ComputationFile.h"
#include "nnet3/Kaldi/IO/Reader.h"
#include "nnet3/Kaldi/IO/Writer.h"
#include "llvm/Support/raw_ostream.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using namespace mlir::nnet3::fuzz;

template <typename T>
using ReadFn = llvm::LogicalResult (*)(KaldiReader &, T &);
template <typename T> using WriteFn = void (*)(KaldiWriter &, const T &);

template <typename T>
static bool readFile(llvm::StringRef bytes, ReadFn<T> read, T &value) {
  KaldiReader reader(bytes, "fuzz");
  (void)reader.readHeader();
  (void)read(reader, value);
  bool isRead = !reader.hasFailed();
  llvm::consumeError(reader.takeError());
  return isRead;
}

template <typename T>
static std::string writeFile(const T &value, WriteFn<T> write, bool binary) {
  std::string written;
  llvm::raw_string_ostream os(written);
  KaldiWriter writer(os, binary);
  writer.writeHeader();
  write(writer, value);
  return written;
}

/// Checks that values read can be written, and that both modes read back, the
/// binary one to the same bytes.
template <typename T>
static void check(llvm::StringRef bytes, ReadFn<T> read, WriteFn<T> write) {
  T value;
  if (!readFile<T>(bytes, read, value))
    return;
  std::string binary = writeFile<T>(value, write, /*binary=*/true);
  for (bool isBinary : {true, false}) {
    T again;
    require(readFile<T>(writeFile<T>(value, write, isBinary), read, again),
            "what was written cannot be read");
    require(!isBinary || writeFile<T>(again, write, true) == binary,
            "what was written changes");
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  check<KaldiRequest>(bytes, readRequest, writeRequest);
  check<KaldiComputation>(bytes, readComputation, writeComputation);
  check<KaldiComputationCache>(bytes, readComputationCache,
                               writeComputationCache);
  return 0;
}
