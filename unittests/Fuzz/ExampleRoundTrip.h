//===- ExampleRoundTrip.h - Examples written and read again -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_UNITTESTS_FUZZ_EXAMPLEROUNDTRIP_H
#define NNET3_UNITTESTS_FUZZ_EXAMPLEROUNDTRIP_H

#include "FuzzTarget.h"
#include "nnet3/Kaldi/IO/Reader.h"
#include "nnet3/Kaldi/IO/Writer.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::nnet3::fuzz {

/// The records of an archive of T, with functions to read and to write.
template <typename T,
          llvm::LogicalResult read(::nnet3::kaldi::KaldiReader &, T &),
          void write(::nnet3::kaldi::KaldiWriter &, const T &)>
struct ExampleArchive {
  /// Reads the next record; returns false at the end or after an error.
  static bool readRecord(::nnet3::kaldi::KaldiReader &reader, T &example) {
    std::string key;
    reader.skipSpace();
    return !reader.atEnd() && succeeded(reader.readKey(key)) &&
           succeeded(reader.readHeader()) && succeeded(read(reader, example));
  }

  /// Checks that written examples read back, in binary to the same bytes.
  static void checkRoundTrip(const T &example) {
    for (bool binary : {true, false}) {
      std::string written = writeRecord(example, binary);
      ::nnet3::kaldi::KaldiReader reader(written, "fuzz");
      T again;
      require(readRecord(reader, again), "an example cannot be read again");
      require(!binary || writeRecord(again, binary) == written,
              "an example changes");
    }
  }

private:
  static std::string writeRecord(const T &example, bool binary) {
    std::string written;
    llvm::raw_string_ostream os(written);
    os << "key ";
    ::nnet3::kaldi::KaldiWriter writer(os, binary);
    writer.writeHeader();
    write(writer, example);
    return written;
  }
};

} // namespace mlir::nnet3::fuzz

#endif // NNET3_UNITTESTS_FUZZ_EXAMPLEROUNDTRIP_H
