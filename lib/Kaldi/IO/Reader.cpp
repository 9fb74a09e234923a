//===- Reader.cpp - Kaldi's basic encodings: input, tokens, numbers -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Kaldi/IO/Reader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include <charconv>
#include <cmath>
#include <cstring>

using namespace nnet3::kaldi;
using llvm::failure;
using llvm::LogicalResult;
using llvm::StringRef;
using llvm::success;
using llvm::Twine;

/// Bytes read from a stream at a time.
static constexpr size_t chunkSize = 1 << 16;
/// Upper bound of the length of keys, names and numbers: a stream without
/// blanks must not be read into memory as a whole.
static constexpr size_t maxWordSize = 1 << 16;

/// Characters that end a number without a blank.
static constexpr StringRef numberDelimiters = ",;[]";

KaldiReader::KaldiReader(StringRef data, StringRef name)
    : data(data.data()), size(data.size()), name(name) {}

KaldiReader::KaldiReader(ByteSource &source)
    : baseOffset(source.getOffset()), source(&source), name(source.getName()),
      linePos(source.getOffset()), lineStart(source.getOffset()) {
  // The line number is known only if reading starts at the beginning of the
  // file.
  sawBinary = source.getOffset() != 0;
}

//===----------------------------------------------------------------------===//
// Input
//===----------------------------------------------------------------------===//

/// Reads more of the stream into the buffer, and drops the bytes before the
/// current item. Returns false at the end.
bool KaldiReader::refill() {
  if (!source || error)
    return false;
  if (item > 0) {
    countLines(baseOffset + item);
    buffer.erase(buffer.begin(), buffer.begin() + item);
    size -= item;
    pos -= item;
    baseOffset += item;
    item = 0;
  }
  // Doubling the buffer keeps the time linear for large items, and the memory
  // within a small multiple of the bytes that were read.
  size_t wanted = std::max(chunkSize, size);
  buffer.resize(size + wanted);
  llvm::Expected<size_t> got = source->read(buffer.data() + size, wanted);
  size_t count = got ? *got : 0;
  buffer.resize(size + count);
  data = buffer.data();
  size += count;
  if (!got)
    (void)fail(llvm::toString(got.takeError()));
  return count > 0;
}

/// Returns true if `count` more bytes exist, and reads them into the buffer.
bool KaldiReader::ensure(uint64_t count) {
  while (size - pos < count) {
    if (!source)
      return false;
    std::optional<uint64_t> left = source->bytesLeft();
    if (left && size - pos + *left < count)
      return false;
    if (!refill())
      return false;
  }
  return true;
}

/// Returns the next byte without consuming it; -1 at the end.
int KaldiReader::peek() {
  if (pos == size && !refill())
    return -1;
  return static_cast<unsigned char>(data[pos]);
}

bool KaldiReader::atEnd() { return peek() < 0; }

LogicalResult KaldiReader::readHeader() {
  if (error)
    return failure();
  beginItem();
  binary = false;
  if (peek() != 0)
    return success();
  binary = sawBinary = true;
  if (!ensure(2) || data[pos + 1] != 'B')
    return fail("expects 'B' after a zero byte, the mark of a binary file");
  pos += 2;
  return success();
}

//===----------------------------------------------------------------------===//
// Positions and errors
//===----------------------------------------------------------------------===//

void KaldiReader::countLines(uint64_t upTo) {
  if (sawBinary || upTo < linePos)
    return;
  const char *begin = data + (linePos - baseOffset);
  const char *end = data + (upTo - baseOffset);
  while (const void *found = std::memchr(begin, '\n', end - begin)) {
    begin = static_cast<const char *>(found) + 1;
    lineStart = baseOffset + (begin - data);
    ++line;
  }
  linePos = upTo;
}

FileLocation KaldiReader::getLocation() {
  FileLocation location;
  location.byte = baseOffset + item;
  if (binary || sawBinary)
    return location;
  countLines(location.byte);
  location.line = line;
  location.column = location.byte - lineStart + 1;
  return location;
}

LogicalResult KaldiReader::failAt(FileLocation location, const Twine &message) {
  if (!error)
    error = Failure{location, message.str()};
  return failure();
}

LogicalResult KaldiReader::fail(const Twine &message) {
  return error ? failure() : failAt(getLocation(), message);
}

llvm::Error KaldiReader::takeError() {
  if (!error)
    return llvm::Error::success();
  return llvm::make_error<KaldiError>(name, error->location, error->message);
}

LogicalResult KaldiReader::failAtEnd(StringRef what) {
  return fail("the file ends where " + what + " is expected");
}

LogicalResult KaldiReader::failOnWord(const Twine &expected, StringRef got) {
  return fail("expects " + expected + ", but got " + quoteForMessage(got));
}

//===----------------------------------------------------------------------===//
// Tokens and lines
//===----------------------------------------------------------------------===//

void KaldiReader::skipSpace() {
  while (true) {
    while (pos < size && llvm::isSpace(data[pos]))
      ++pos;
    beginItem();
    if (pos < size || !refill())
      return;
  }
}

/// Returns the word at `pos` without consuming it, up to whitespace or a
/// delimiter.
StringRef KaldiReader::scanWord(StringRef extraDelimiters) {
  size_t length = 0;
  while (length < maxWordSize) {
    if (pos + length == size && !refill())
      break;
    char c = data[pos + length];
    if (llvm::isSpace(c) || extraDelimiters.contains(c))
      break;
    ++length;
  }
  return {data + pos, length};
}

LogicalResult KaldiReader::readToken(std::string &token) {
  if (error)
    return failure();
  skipSpace();
  StringRef word = scanWord("");
  if (word.empty())
    return failAtEnd("a token");
  token = word.str();
  pos += word.size();
  int next = peek();
  if (next < 0 && !binary)
    return success();
  if (next < 0 || !llvm::isSpace(static_cast<char>(next)))
    return fail("expects a blank after " + quoteForMessage(token));
  ++pos;
  return success();
}

LogicalResult KaldiReader::readKey(std::string &key) {
  if (error)
    return failure();
  binary = false;
  skipSpace();
  StringRef word = scanWord("");
  if (word.empty())
    return failAtEnd("a key");
  key = word.str();
  pos += word.size();
  int next = peek();
  // The line end belongs to the record, which is empty.
  if (next == '\n')
    return success();
  if (next != ' ' && next != '\t')
    return fail("expects a blank after the key " + quoteForMessage(key));
  ++pos;
  return success();
}

/// Returns true if `word` is `token`, with or without its leading `<`.
static bool isToken(StringRef word, StringRef token) {
  return word == token || (token.starts_with("<") && word == token.substr(1));
}

LogicalResult KaldiReader::expectToken(StringRef token) {
  std::string got;
  if (error)
    return failure();
  skipSpace();
  if (atEnd())
    return failAtEnd(token);
  if (failed(readToken(got)))
    return failure();
  if (!isToken(got, token))
    return failOnWord(token, got);
  return success();
}

StringRef KaldiReader::peekWord() {
  if (error)
    return {};
  if (!binary)
    skipSpace();
  return scanWord("");
}

bool KaldiReader::consumeToken(StringRef token) {
  if (!isToken(peekWord(), token))
    return false;
  std::string ignored;
  return succeeded(readToken(ignored));
}

int KaldiReader::peekToken() {
  if (error)
    return -1;
  if (!binary)
    skipSpace();
  int first = peek();
  if (first != '<' || !ensure(2))
    return first;
  return static_cast<unsigned char>(data[pos + 1]);
}

LogicalResult KaldiReader::readLine(std::string &text) {
  if (error)
    return failure();
  beginItem();
  if (atEnd())
    return failAtEnd("a line");
  size_t length = 0;
  while (pos + length < size || refill()) {
    const void *found =
        std::memchr(data + pos + length, '\n', size - pos - length);
    if (found) {
      text.assign(data + pos, static_cast<const char *>(found));
      pos += text.size() + 1;
      return success();
    }
    length = size - pos;
  }
  if (error)
    return failure();
  text.assign(data + pos, length);
  pos += length;
  return success();
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

template <typename T> static T loadLittle(const char *from) {
  return llvm::support::endian::read<T, llvm::endianness::little>(from);
}

template <typename T> LogicalResult KaldiReader::readTextInteger(T &value) {
  skipSpace();
  StringRef word = scanWord(numberDelimiters);
  if (word.empty() && atEnd())
    return failAtEnd("an integer");
  StringRef digits = word;
  if (digits.starts_with("+") && !digits.starts_with("+-"))
    digits = digits.drop_front();
  auto [end, code] = std::from_chars(digits.begin(), digits.end(), value);
  if (word.empty() || end != digits.end())
    return failOnWord("an integer", word.empty() ? scanWord("") : word);
  if (code != std::errc())
    return fail("integer " + word + " does not fit in " + Twine(8 * sizeof(T)) +
                " bits");
  pos += word.size();
  return success();
}

template <typename T> LogicalResult KaldiReader::readInteger(T &value) {
  if (error)
    return failure();
  if (!binary)
    return readTextInteger(value);
  beginItem();
  if (!ensure(1 + sizeof(T)))
    return failAtEnd("an integer of " + std::to_string(sizeof(T)) + " bytes");
  if (data[pos] != sizeof(T))
    return fail("expects an integer of " + Twine(sizeof(T)) +
                " bytes, but got size byte " +
                Twine(static_cast<int>(static_cast<signed char>(data[pos]))));
  value = loadLittle<T>(data + pos + 1);
  pos += 1 + sizeof(T);
  return success();
}

LogicalResult KaldiReader::readInt32(int32_t &value) {
  return readInteger(value);
}

LogicalResult KaldiReader::readCount(int32_t &count) {
  if (failed(readInt32(count)))
    return failure();
  if (count < 0)
    return fail("expects a count of at least 0, but got " + Twine(count));
  return success();
}

LogicalResult KaldiReader::readInt64(int64_t &value) {
  return readInteger(value);
}

LogicalResult KaldiReader::readBool(bool &value) {
  if (error)
    return failure();
  if (!binary)
    skipSpace();
  beginItem();
  int c = peek();
  if (c < 0)
    return failAtEnd("a truth value");
  if (c != 'T' && c != 'F')
    return failOnWord("T or F", StringRef(data + pos, 1));
  value = c == 'T';
  ++pos;
  return success();
}

/// Returns true if `digits` overflows T. If it underflows to zero or a
/// subnormal, sets `value` instead. from_chars reports the same error for both.
template <typename T> static bool isTooLarge(StringRef digits, T &value) {
  double wide = std::strtod(digits.str().c_str(), nullptr);
  value = static_cast<T>(wide);
  return std::isinf(value);
}

template <typename T> LogicalResult KaldiReader::readTextReal(T &value) {
  skipSpace();
  StringRef word = scanWord(numberDelimiters);
  if (word.empty() && atEnd())
    return failAtEnd("a number");
  StringRef digits = word;
  if (digits.starts_with("+") && !digits.starts_with("+-"))
    digits = digits.drop_front();
  auto [end, code] = std::from_chars(digits.begin(), digits.end(), value);
  if (word.empty() || end != digits.end())
    return failOnWord("a number", word.empty() ? scanWord("") : word);
  if (code != std::errc() && isTooLarge(digits, value))
    return fail("number " + word.take_front(60) + " is too large");
  pos += word.size();
  return success();
}

template <typename T> LogicalResult KaldiReader::readReal(T &value) {
  if (error)
    return failure();
  if (!binary)
    return readTextReal(value);
  beginItem();
  if (!ensure(1))
    return failAtEnd("a number");
  int width = static_cast<signed char>(data[pos]);
  if (width != 4 && width != 8)
    return fail("expects a float or a double, but got size byte " +
                Twine(width));
  if (!ensure(1 + width))
    return failAtEnd("a number");
  value = width == 4 ? static_cast<T>(loadLittle<float>(data + pos + 1))
                     : static_cast<T>(loadLittle<double>(data + pos + 1));
  pos += 1 + width;
  return success();
}

LogicalResult KaldiReader::readFloat(float &value) { return readReal(value); }

LogicalResult KaldiReader::readDouble(double &value) { return readReal(value); }

template LogicalResult KaldiReader::readTextInteger<int32_t>(int32_t &);
template LogicalResult KaldiReader::readTextReal<float>(float &);
template LogicalResult KaldiReader::readTextReal<double>(double &);
