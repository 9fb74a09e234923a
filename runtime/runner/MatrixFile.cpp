//===- MatrixFile.cpp - Matrices in Kaldi's files -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MatrixFile.h"
#include "core/Loader.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/stat.h>

namespace nnet3 {
namespace rt {

namespace {

Status errorAt(size_t byte, const std::string &message) {
  return invalidArgument("byte " + std::to_string(byte) + ": " + message);
}

/// The header before the elements: a zero byte, 'B', the token of a float
/// matrix, and the dims, each after its size in bytes.
constexpr std::string_view kBinaryToken("\0BFM ", 5);
constexpr size_t kBinaryHeader = kBinaryToken.size() + 2 * 5;

Result<OwnedMatrix> parseBinary(std::string_view bytes) {
  if (bytes.substr(0, kBinaryToken.size()) != kBinaryToken)
    return errorAt(2, "expects a matrix of floats, 'FM '");
  if (bytes.size() < kBinaryHeader)
    return errorAt(bytes.size(), "the file ends before the matrix");
  int32_t dims[2];
  for (int i = 0; i < 2; ++i) {
    const size_t at = kBinaryToken.size() + 5 * i;
    std::memcpy(&dims[i], bytes.data() + at + 1, sizeof(dims[i]));
    if (bytes[at] != 4 || dims[i] < 0)
      return errorAt(at, "expects a number of 4 bytes, not negative");
  }
  OwnedMatrix matrix;
  matrix.rows = dims[0];
  matrix.cols = dims[1];
  const uint64_t count = uint64_t(dims[0]) * uint64_t(dims[1]);
  if (count != (bytes.size() - kBinaryHeader) / sizeof(float) ||
      (bytes.size() - kBinaryHeader) % sizeof(float) != 0)
    return errorAt(bytes.size(), "a " + std::to_string(dims[0]) + " x " +
                                     std::to_string(dims[1]) +
                                     " matrix does not end here");
  matrix.values.resize(count);
  std::memcpy(matrix.values.data(), bytes.data() + kBinaryHeader,
              count * sizeof(float));
  return matrix;
}

/// Parses `[`, one row per line, `]`.
class TextParser {
public:
  explicit TextParser(std::string_view bytes) : text(bytes) {}

  Result<OwnedMatrix> run();

private:
  bool isBlank() const {
    return at < text.size() && std::strchr(" \t\r", text[at]);
  }
  bool endsRow() const {
    return at == text.size() || text[at] == '\n' || text[at] == ']';
  }
  Status number();
  Status endRow();

  /// Null-terminated for strtof().
  const std::string text;
  size_t at = 0;
  int64_t rowCols = 0, cols = 0, rows = 0;
  std::vector<float> values;
};

Status TextParser::number() {
  char *end = nullptr;
  values.push_back(std::strtof(text.c_str() + at, &end));
  const auto next = static_cast<size_t>(end - text.c_str());
  if (next == at)
    return errorAt(at, "expects a number, or ']'");
  at = next;
  ++rowCols;
  return Status();
}

Status TextParser::endRow() {
  if (rowCols == 0)
    return Status();
  if (rows != 0 && rowCols != cols)
    return errorAt(at, "expects a row of " + std::to_string(cols) +
                           " numbers, but got " + std::to_string(rowCols));
  cols = rowCols;
  rowCols = 0;
  ++rows;
  return Status();
}

Result<OwnedMatrix> TextParser::run() {
  at = text.find_first_not_of(" \t\r\n");
  if (at == std::string::npos || text[at] != '[')
    return errorAt(at == std::string::npos ? text.size() : at,
                   "expects a matrix, which begins with '['");
  for (++at;;) {
    while (isBlank())
      ++at;
    if (!endsRow()) {
      if (Status error = number(); !error.ok())
        return error;
      continue;
    }
    if (at == text.size())
      return errorAt(at, "the file ends inside of a matrix");
    if (Status error = endRow(); !error.ok())
      return error;
    if (text[at++] == ']')
      break;
  }
  if (const size_t more = text.find_first_not_of(" \t\r\n", at);
      more != std::string::npos)
    return errorAt(more, "expects the end of the file");
  OwnedMatrix matrix;
  matrix.rows = static_cast<int32_t>(rows);
  matrix.cols = static_cast<int32_t>(cols);
  matrix.values = std::move(values);
  return matrix;
}

} // namespace

Result<OwnedMatrix> parseMatrix(std::string_view bytes) {
  if (bytes.substr(0, 2) == kBinaryToken.substr(0, 2))
    return parseBinary(bytes);
  return TextParser(bytes).run();
}

Result<OwnedMatrix> readMatrixFile(const std::string &path) {
  auto file = mapFile(path);
  if (!file.ok())
    return file.status();
  auto matrix = parseMatrix({static_cast<const char *>((*file)->data),
                             static_cast<size_t>((*file)->size)});
  if (!matrix.ok())
    return invalidArgument("'" + path + "': " + matrix.status().message());
  return matrix;
}

static Status cannotWrite(const std::string &path) {
  return Status(NNET3RT_IO_ERROR,
                "cannot write '" + path + "': " + std::strerror(errno));
}

/// Writes and closes \p file; null counts as a failure to open.
static bool writeAndClose(std::FILE *file, const std::string &bytes) {
  if (!file)
    return false;
  const bool isWritten =
      std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  return std::fclose(file) == 0 && isWritten;
}

/// Whether \p path is a device, a pipe or the like, which must not be replaced
/// by a file.
static bool isSpecialFile(const std::string &path) {
  struct stat there;
  return stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode);
}

Status writeWholeFile(const std::string &path, const std::string &bytes) {
  if (path == "-") {
    const bool isWritten =
        std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size();
    return std::fflush(stdout) == 0 && isWritten ? Status() : cannotWrite(path);
  }
  if (isSpecialFile(path))
    return writeAndClose(std::fopen(path.c_str(), "wb"), bytes)
               ? Status()
               : cannotWrite(path);
  const std::string temporary = path + ".part";
  if (writeAndClose(std::fopen(temporary.c_str(), "wb"), bytes) &&
      std::rename(temporary.c_str(), path.c_str()) == 0)
    return Status();
  Status error = cannotWrite(path);
  std::remove(temporary.c_str());
  return error;
}

Status writeMatrixFile(const std::string &path, ConstMatrixView matrix) {
  std::string text = " [";
  char number[32];
  for (int32_t row = 0; row < matrix.rows; ++row) {
    text += "\n ";
    for (int32_t col = 0; col < matrix.cols; ++col) {
      std::snprintf(number, sizeof(number), " %.9g", matrix.row(row)[col]);
      text += number;
    }
  }
  return writeWholeFile(path, text + " ]\n");
}

} // namespace rt
} // namespace nnet3
