//===- TableValue.cpp - The values of tables ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TableValue.h"
#include "llvm/ADT/StringExtras.h"

using namespace nnet3::kaldi;
using llvm::failure;
using llvm::LogicalResult;
using llvm::StringRef;
using llvm::success;

LogicalResult nnet3::kaldi::readTableValue(KaldiReader &reader, Wave &value) {
  return readWave(reader, value);
}

LogicalResult nnet3::kaldi::readTableValue(KaldiReader &reader, Matrix &value) {
  return failure(failed(reader.readHeader()) ||
                 failed(reader.readMatrix(value)));
}

LogicalResult nnet3::kaldi::readTableValue(KaldiReader &reader,
                                           std::vector<float> &value) {
  return failure(failed(reader.readHeader()) ||
                 failed(reader.readVector(value)));
}

LogicalResult nnet3::kaldi::readTableValue(KaldiReader &reader,
                                           GeneralMatrix &value) {
  return failure(failed(reader.readHeader()) ||
                 failed(readGeneralMatrix(reader, value)));
}

LogicalResult nnet3::kaldi::readTableValue(KaldiReader &reader,
                                           GeneralVector &value) {
  return failure(failed(reader.readHeader()) ||
                 failed(readGeneralVector(reader, value)));
}

LogicalResult nnet3::kaldi::readTableValue(KaldiReader &reader,
                                           Posterior &value) {
  return failure(failed(reader.readHeader()) ||
                 failed(readPosterior(reader, value)));
}

LogicalResult nnet3::kaldi::readTableValue(KaldiReader &reader,
                                           NnetExample &value) {
  return failure(failed(reader.readHeader()) ||
                 failed(readExample(reader, value)));
}

LogicalResult nnet3::kaldi::readTableValue(KaldiReader &reader,
                                           NnetChainExample &value) {
  return failure(failed(reader.readHeader()) ||
                 failed(readChainExample(reader, value)));
}

LogicalResult nnet3::kaldi::readTableValue(KaldiReader &reader,
                                           AnyExample &value) {
  return failure(failed(reader.readHeader()) ||
                 failed(readAnyExample(reader, value)));
}

LogicalResult nnet3::kaldi::readTableValue(KaldiReader &reader,
                                           ChainSupervision &value) {
  return failure(failed(reader.readHeader()) ||
                 failed(readUtteranceSupervision(reader, value)));
}

LogicalResult nnet3::kaldi::readTableValue(KaldiReader &reader, float &value) {
  return failure(failed(reader.readHeader()) ||
                 failed(reader.readFloat(value)));
}

static LogicalResult readNumberLine(KaldiReader &reader,
                                    std::vector<int32_t> &value) {
  std::string line;
  if (failed(reader.readLine(line)))
    return failure();
  llvm::SmallVector<StringRef> words;
  llvm::SplitString(line, words, " \t\r");
  for (StringRef word : words)
    if (word.getAsInteger(10, value.emplace_back()))
      return reader.fail("expects integers after the key, but got " +
                         quoteForMessage(word));
  return success();
}

LogicalResult nnet3::kaldi::readTableValue(KaldiReader &reader,
                                           std::vector<int32_t> &value) {
  value.clear();
  if (failed(reader.readHeader()))
    return failure();
  if (!reader.isBinary())
    return readNumberLine(reader, value);
  int32_t count;
  if (failed(reader.readInt32(count)))
    return failure();
  if (count < 0)
    return reader.fail("expects a count of at least 0, but got " +
                       llvm::Twine(count));
  for (int32_t i = 0; i < count; ++i)
    if (failed(reader.readInt32(value.emplace_back())))
      return failure();
  return success();
}

LogicalResult nnet3::kaldi::readTableValue(KaldiReader &reader,
                                           std::string &value) {
  std::string line;
  if (failed(reader.readLine(line)))
    return failure();
  StringRef word = StringRef(line).trim();
  if (word.empty() || llvm::any_of(word, llvm::isSpace))
    return reader.fail("expects one word after the key, but got " +
                       quoteForMessage(word));
  value = word.str();
  return success();
}

LogicalResult nnet3::kaldi::readTableValue(KaldiReader &reader,
                                           std::vector<std::string> &value) {
  std::string line;
  if (failed(reader.readLine(line)))
    return failure();
  llvm::SmallVector<StringRef> words;
  llvm::SplitString(line, words, " \t\r");
  value.assign(words.begin(), words.end());
  return success();
}

void nnet3::kaldi::writeTableValue(KaldiWriter &writer, const Matrix &value) {
  writer.writeHeader();
  writer.writeMatrix(value);
}

void nnet3::kaldi::writeTableValue(KaldiWriter &writer,
                                   const std::vector<float> &value) {
  writer.writeHeader();
  writer.writeVector(llvm::ArrayRef<float>(value));
}

void nnet3::kaldi::writeTableValue(KaldiWriter &writer,
                                   const GeneralMatrix &value) {
  writer.writeHeader();
  writeGeneralMatrix(writer, value);
}

void nnet3::kaldi::writeTableValue(KaldiWriter &writer,
                                   const GeneralVector &value) {
  writer.writeHeader();
  writeGeneralVector(writer, value);
}

void nnet3::kaldi::writeTableValue(KaldiWriter &writer,
                                   const std::vector<int32_t> &value) {
  writer.writeHeader();
  if (writer.isBinary())
    writer.writeInt32(value.size());
  for (int32_t number : value)
    writer.writeInt32(number);
  writer.writeNewline();
}

void nnet3::kaldi::writeTableValue(KaldiWriter &writer,
                                   const Posterior &value) {
  writer.writeHeader();
  writePosterior(writer, value);
}

void nnet3::kaldi::writeTableValue(KaldiWriter &writer,
                                   const NnetExample &value) {
  writer.writeHeader();
  writeExample(writer, value);
}

void nnet3::kaldi::writeTableValue(KaldiWriter &writer,
                                   const NnetChainExample &value) {
  writer.writeHeader();
  writeChainExample(writer, value);
}

void nnet3::kaldi::writeTableValue(KaldiWriter &writer,
                                   const AnyExample &value) {
  std::visit([&](const auto &one) { writeTableValue(writer, one); }, value);
}

void nnet3::kaldi::writeTableValue(KaldiWriter &writer,
                                   const std::string &value) {
  writer.writeBytes(value);
  writer.writeBytes("\n");
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

namespace {
/// A range of rows or columns, both ends included.
struct Interval {
  int64_t first = 0;
  int64_t last = 0;
  int64_t size() const { return last - first + 1; }
};
} // namespace

/// Number of rows past the end that a range may have with only a warning: frame
/// counts differ between tools, and segment times are rounded to hundredths of
/// a second.
static constexpr int64_t rowTolerance = 2;

/// Parses `first:last`, or `:` for everything, for a dimension `size`.
static std::string parseInterval(StringRef text, int64_t size,
                                 int64_t tolerance, Interval &result,
                                 std::string &warning) {
  result = {0, size - 1};
  if (text == ":")
    return "";
  auto [first, last] = text.split(':');
  if (first.getAsInteger(10, result.first) ||
      last.getAsInteger(10, result.last) || result.first < 0 ||
      result.last < result.first)
    return "expects a range 'first:last', but got " + quoteForMessage(text);
  if (result.first >= size || result.last >= size + tolerance)
    return "expects a range within 0:" + std::to_string(size - 1) +
           ", but got " + quoteForMessage(text);
  if (result.last >= size) {
    warning = "range " + quoteForMessage(text) + " is cut at " +
              std::to_string(size - 1);
    result.last = size - 1;
  }
  return "";
}

/// Parses the range of a matrix, `rows` or `rows,columns`.
static std::string parseRange(StringRef range, int64_t numRows, int64_t numCols,
                              Interval &rows, Interval &cols,
                              std::string &warning) {
  auto [rowText, colText] = range.split(',');
  if (range == rowText)
    colText = ":";
  std::string wrong =
      parseInterval(rowText, numRows, rowTolerance, rows, warning);
  if (wrong.empty())
    wrong = parseInterval(colText, numCols, /*tolerance=*/0, cols, warning);
  return wrong;
}

std::string nnet3::kaldi::applyRange(StringRef range, GeneralMatrix &value,
                                     std::string &warning) {
  Interval rows, cols;
  std::string wrong = parseRange(range, getNumRows(value), getNumCols(value),
                                 rows, cols, warning);
  // The only valid range of an empty matrix is all of it.
  if (wrong.empty() && rows.size() > 0 && cols.size() > 0)
    value = extract(value, rows.first, rows.size(), cols.first, cols.size());
  return wrong;
}

std::string nnet3::kaldi::applyRange(StringRef range, Matrix &value,
                                     std::string &warning) {
  GeneralMatrix general = std::move(value);
  std::string wrong = applyRange(range, general, warning);
  value = std::get<Matrix>(std::move(general));
  return wrong;
}

template <typename T>
static std::string applyVectorRange(StringRef range, std::vector<T> &value,
                                    std::string &warning) {
  Interval kept;
  std::string wrong =
      parseInterval(range, value.size(), /*tolerance=*/0, kept, warning);
  if (!wrong.empty())
    return wrong;
  value.erase(value.begin() + kept.last + 1, value.end());
  value.erase(value.begin(), value.begin() + kept.first);
  return "";
}

std::string nnet3::kaldi::applyRange(StringRef range, std::vector<float> &value,
                                     std::string &warning) {
  return applyVectorRange(range, value, warning);
}

std::string nnet3::kaldi::applyRange(StringRef range, GeneralVector &value,
                                     std::string &warning) {
  return std::visit(
      [&](auto &vector) { return applyVectorRange(range, vector, warning); },
      value);
}
