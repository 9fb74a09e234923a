//===- KaldiFile.cpp - Tokens and numbers of Kaldi's files ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KaldiFile.h"
#include "core/MappedFile.h"

#include <algorithm>
#include <charconv>
#include <cstring>

using namespace nnet3::rt;
using std::string_view;

static bool isBlank(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

KaldiFile::KaldiFile(const std::string &path) : name(path) {
  auto file = mapFile(path);
  if (!file.ok()) {
    error = path + ": " + file.status().message();
    return;
  }
  bytes = {static_cast<const char *>((*file)->data),
           static_cast<size_t>((*file)->size)};
  owner = *file;
  begin();
}

KaldiFile::KaldiFile(string_view bytes, std::string name)
    : bytes(bytes), name(std::move(name)) {
  begin();
}

void KaldiFile::begin() {
  isBinary = bytes.substr(0, 2) == string_view("\0B", 2);
  at = isBinary ? 2 : 0;
}

void KaldiFile::fail(const std::string &message) {
  if (!error.empty())
    return;
  if (isBinary) {
    error = name + ":byte " + std::to_string(item) + ": " + message;
    return;
  }
  const string_view before = bytes.substr(0, item);
  const size_t lineBegin = before.rfind('\n');
  error = name + ":" +
          std::to_string(1 + std::count(before.begin(), before.end(), '\n')) +
          ":" +
          std::to_string(lineBegin == string_view::npos ? item + 1
                                                        : item - lineBegin) +
          ": " + message;
}

//===----------------------------------------------------------------------===//
// Tokens and numbers
//===----------------------------------------------------------------------===//

void KaldiFile::skipBlanks() {
  while (at < bytes.size() && isBlank(bytes[at]))
    ++at;
  item = at;
}

/// Reads a word and the blank after it; empty at the end.
string_view KaldiFile::readWord() {
  skipBlanks();
  while (at < bytes.size() && !isBlank(bytes[at]))
    ++at;
  const string_view word = bytes.substr(item, at - item);
  if (at < bytes.size())
    ++at;
  return word;
}

/// Quotes a word of a file for a message.
static std::string quote(string_view word) {
  if (word.empty())
    return "the end of the file";
  std::string text = "'";
  for (char c : word.substr(0, 40))
    text += c > ' ' && c < 127 ? c : '?';
  return text + "'";
}

void KaldiFile::expectToken(string_view token, string_view other) {
  if (!error.empty())
    return;
  const string_view word = readWord();
  if (word != token && (other.empty() || word != other))
    fail("expects '" + std::string(token) + "', but got " + quote(word));
}

bool KaldiFile::consumeToken(string_view token) {
  const size_t before = at;
  if (error.empty() && readWord() == token)
    return true;
  at = before;
  return false;
}

bool KaldiFile::takeBytes(void *to, size_t count) {
  if (!error.empty())
    return false;
  if (bytes.size() - at < count) {
    item = bytes.size();
    fail("the file ends inside of a number");
    return false;
  }
  std::memcpy(to, bytes.data() + at, count);
  at += count;
  return true;
}

int32_t KaldiFile::readInt32() {
  int32_t value = 0;
  if (!isBinary) {
    const string_view word = readWord();
    auto [end, code] =
        std::from_chars(word.data(), word.data() + word.size(), value);
    if (code != std::errc() || end != word.data() + word.size())
      fail("expects an integer, but got " + quote(word));
    return value;
  }
  item = at;
  char size = 0;
  if (takeBytes(&size, 1) && size != 4)
    fail("expects an integer of 4 bytes, but got a size of " +
         std::to_string(int(size)));
  takeBytes(&value, 4);
  return value;
}

bool KaldiFile::readTextNumber(string_view word, double &value) {
  auto [end, code] =
      std::from_chars(word.data(), word.data() + word.size(), value);
  if (end == word.data() + word.size() &&
      (code == std::errc() || code == std::errc::result_out_of_range))
    return true;
  fail("expects a number, but got " + quote(word));
  return false;
}

double KaldiFile::readReal() {
  double value = 0;
  if (!isBinary) {
    readTextNumber(readWord(), value);
    return value;
  }
  item = at;
  char size = 0;
  if (!takeBytes(&size, 1))
    return 0;
  std::vector<double> number;
  if (size != 4 && size != 8)
    fail("expects a number of 4 or 8 bytes, but got a size of " +
         std::to_string(int(size)));
  else
    readNumbers(size, 1, number);
  return number.empty() ? 0 : number.front();
}

//===----------------------------------------------------------------------===//
// Vectors and matrices
//===----------------------------------------------------------------------===//

size_t KaldiFile::readKind(char kind, size_t &begin) {
  const string_view word = readWord();
  begin = item;
  if (word.size() == 2 && (word[0] == 'F' || word[0] == 'D') && word[1] == kind)
    return word[0] == 'F' ? 4 : 8;
  fail(std::string("expects 'F") + kind + "' or 'D" + kind + "', but got " +
       quote(word));
  return 0;
}

void KaldiFile::readNumbers(size_t width, uint64_t count,
                            std::vector<double> &to) {
  if (!error.empty())
    return;
  if (count > (bytes.size() - at) / width) {
    fail("expects " + std::to_string(count) + " numbers of " +
         std::to_string(width) + " bytes, but the file ends after " +
         std::to_string((bytes.size() - at) / width));
    return;
  }
  to.resize(count);
  const char *from = bytes.data() + at;
  for (uint64_t i = 0; i < count; ++i, from += width) {
    float narrow;
    if (width == 4) {
      std::memcpy(&narrow, from, 4);
      to[i] = narrow;
    } else {
      std::memcpy(&to[i], from, 8);
    }
  }
  at += count * width;
}

/// Reads the numbers between brackets. \p rows receives the number of nonempty
/// lines.
std::vector<double> KaldiFile::readTextNumbers(int64_t &rows) {
  std::vector<double> values;
  rows = 0;
  if (const string_view word = readWord(); word != "[") {
    fail("expects '[', but got " + quote(word));
    return {};
  }
  const size_t begin = item;
  bool isNewRow = true;
  while (error.empty()) {
    for (; at < bytes.size() && isBlank(bytes[at]); ++at)
      isNewRow |= bytes[at] == '\n';
    item = at;
    while (at < bytes.size() && !isBlank(bytes[at]) &&
           !(bytes[at] == ']' && at > item))
      ++at;
    const string_view word = bytes.substr(item, at - item);
    if (word == "]") {
      item = begin;
      return values;
    }
    if (!readTextNumber(word, values.emplace_back()))
      break;
    rows += isNewRow;
    isNewRow = false;
  }
  rows = 0;
  return {};
}

std::vector<double> KaldiFile::readVector() {
  std::vector<double> values;
  if (!error.empty())
    return values;
  if (!isBinary) {
    int64_t rows;
    return readTextNumbers(rows);
  }
  size_t begin;
  const size_t width = readKind('V', begin);
  const int32_t dim = readInt32();
  item = begin;
  if (dim < 0)
    fail("expects a dimension of at least 0, but got " + std::to_string(dim));
  readNumbers(width, dim, values);
  return values;
}

DoubleMatrix KaldiFile::readMatrix() {
  DoubleMatrix matrix;
  if (!error.empty())
    return matrix;
  if (!isBinary) {
    matrix.values = readTextNumbers(matrix.rows);
    const auto count = static_cast<int64_t>(matrix.values.size());
    matrix.cols = matrix.rows > 0 ? count / matrix.rows : 0;
    if (matrix.rows * matrix.cols != count)
      fail("expects rows of equal length, but got " + std::to_string(count) +
           " numbers in " + std::to_string(matrix.rows) + " rows");
    return matrix;
  }
  size_t begin;
  const size_t width = readKind('M', begin);
  const int32_t rows = readInt32(), cols = readInt32();
  item = begin;
  if (rows < 0 || cols < 0)
    fail("expects dimensions of at least 0, but got " + std::to_string(rows) +
         " x " + std::to_string(cols));
  readNumbers(width, uint64_t(rows) * uint64_t(cols), matrix.values);
  if (error.empty()) {
    matrix.rows = rows;
    matrix.cols = cols;
  }
  return matrix;
}

std::vector<double> KaldiFile::readPacked(int32_t dim) {
  std::vector<double> values;
  if (!error.empty())
    return values;
  const uint64_t count = uint64_t(dim) * (uint64_t(dim) + 1) / 2;
  if (isBinary) {
    size_t begin;
    const size_t width = readKind('P', begin);
    if (const int32_t found = readInt32(); found != dim)
      fail("expects a matrix of dimension " + std::to_string(dim) +
           ", but got " + std::to_string(found));
    item = begin;
    readNumbers(width, count, values);
    return values;
  }
  int64_t rows;
  values = readTextNumbers(rows);
  if (values.size() != count)
    fail("expects " + std::to_string(count) + " numbers of a matrix of " +
         "dimension " + std::to_string(dim) + ", but got " +
         std::to_string(values.size()));
  return error.empty() ? values : std::vector<double>();
}

void KaldiFile::expectEnd() {
  if (!error.empty())
    return;
  const size_t before = item;
  if (isBinary)
    item = at;
  else
    skipBlanks();
  if (item < bytes.size())
    fail("expects the end of the file");
  item = before;
}
