//===- TestUtil.h - Helpers of the tests of Kaldi's files -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_UNITTESTS_KALDI_TESTUTIL_H
#define NNET3_UNITTESTS_KALDI_TESTUTIL_H

#include "nnet3/Kaldi/IO/Reader.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <functional>
#include <string>

namespace nnet3::kaldi::test {

/// Returns the path of a file under test/Inputs/formats.
inline std::string inputPath(llvm::StringRef name) {
  return (NNET3_TEST_INPUTS "/formats/" + name).str();
}

/// Returns the contents of a file.
inline std::string slurp(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer) {
    ADD_FAILURE() << path << ": " << buffer.getError().message();
    return {};
  }
  return (*buffer)->getBuffer().str();
}

/// A source that returns `data` in pieces of `pieceSize`, like a pipe.
class PieceSource : public ByteSource {
public:
  PieceSource(llvm::StringRef data, size_t pieceSize)
      : ByteSource("pipe"), data(data), pieceSize(pieceSize) {}

  llvm::Expected<size_t> read(char *to, size_t size) override {
    llvm::StringRef piece = data.take_front(std::min(size, pieceSize));
    std::copy(piece.begin(), piece.end(), to);
    data = data.drop_front(piece.size());
    return piece.size();
  }

private:
  llvm::StringRef data;
  size_t pieceSize;
};

/// Reads a file that holds one matrix.
inline Matrix parseMatrix(llvm::StringRef contents) {
  KaldiReader reader(contents, "input");
  Matrix matrix;
  (void)reader.readHeader();
  (void)reader.readMatrix(matrix);
  if (llvm::Error error = reader.takeError())
    ADD_FAILURE() << llvm::toString(std::move(error));
  EXPECT_TRUE(reader.atEnd());
  return matrix;
}

/// Returns the error message of `read` on `contents`; empty if there is none.
inline std::string errorOf(llvm::StringRef contents,
                           const std::function<void(KaldiReader &)> &read) {
  KaldiReader reader(contents, "input");
  (void)reader.readHeader();
  read(reader);
  return llvm::toString(reader.takeError());
}

/// Returns the size in bytes of the largest allocation since the last reset,
/// counted by the operator new of AllocationWatch.cpp.
size_t largestAllocation();
void resetLargestAllocation();

} // namespace nnet3::kaldi::test

#endif // NNET3_UNITTESTS_KALDI_TESTUTIL_H
