//===- RecordIo.cpp - Records described for both directions ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RecordIo.h"
#include "llvm/Support/Endian.h"

using namespace nnet3::kaldi;
using llvm::StringRef;
using llvm::Twine;

/// The size byte of unsigned 8-byte numbers (spec: formats.md 3).
static constexpr char kSizeByte = -8;

void RecordIo::token(StringRef token) {
  if (reader)
    (void)reader->expectToken(token);
  else
    writer->writeToken(token);
}

void RecordIo::flag(StringRef token, bool &value) {
  if (reader)
    value = reader->consumeToken(token);
  else if (value)
    writer->writeToken(token);
}

void RecordIo::newline() {
  if (writer)
    writer->writeNewline();
}

void RecordIo::value(int32_t &number) {
  if (reader)
    (void)reader->readInt32(number);
  else
    writer->writeInt32(number);
}

void RecordIo::value(bool &truth) {
  if (reader)
    (void)reader->readBool(truth);
  else
    writer->writeBool(truth);
}

void RecordIo::value(float &number) {
  if (reader)
    (void)reader->readFloat(number);
  else
    writer->writeFloat(number);
}

void RecordIo::value(std::string &word) {
  if (reader)
    (void)reader->readToken(word);
  else
    writer->writeToken(word);
}

void RecordIo::value(std::vector<int32_t> &numbers) {
  if (reader)
    (void)reader->readIntVector(numbers);
  else
    writer->writeIntVector(numbers);
}

void RecordIo::value(std::vector<std::pair<int32_t, int32_t>> &pairs) {
  if (reader)
    (void)reader->readIntPairVector(pairs);
  else
    writer->writeIntPairVector(pairs);
}

void RecordIo::value(std::vector<float> &numbers) {
  if (reader)
    (void)reader->readVector(numbers);
  else
    writer->writeVector(llvm::ArrayRef<float>(numbers));
}

void RecordIo::value(std::vector<RowIndex> &indexes) {
  if (reader)
    (void)readIndexVector(*reader, indexes);
  else
    writeIndexVector(*writer, indexes);
}

/// Reads a size; 0 after an error.
static uint64_t readSize(KaldiReader &reader) {
  if (!reader.isBinary()) {
    int64_t number;
    if (failed(reader.readInt64(number)))
      return 0;
    if (number < 0)
      (void)reader.fail("expects a size of at least 0, but got " +
                        Twine(number));
    return reader.hasFailed() ? 0 : number;
  }
  StringRef bytes;
  if (failed(reader.readBytes(1 + sizeof(uint64_t), bytes)))
    return 0;
  if (bytes.front() != kSizeByte) {
    (void)reader.fail("expects a size of 8 bytes, but got size byte " +
                      Twine(static_cast<int>(bytes.front())));
    return 0;
  }
  return llvm::support::endian::read<uint64_t, llvm::endianness::little>(
      bytes.data() + 1);
}

void RecordIo::size(uint64_t &number) {
  if (reader) {
    number = readSize(*reader);
    return;
  }
  if (!writer->isBinary()) {
    writer->writeInt64(number);
    return;
  }
  writer->writeBytes({&kSizeByte, 1});
  writer->writeBytes({reinterpret_cast<const char *>(&number), sizeof(number)});
}
