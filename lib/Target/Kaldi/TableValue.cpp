//===- TableValue.cpp - The values of tables ------------------------------===//
#include "TableValue.h"
#include "llvm/ADT/StringExtras.h"

using namespace nnet3;
using llvm::failure;
using llvm::LogicalResult;
using llvm::StringRef;
using llvm::success;

LogicalResult nnet3::readTableValue(KaldiReader &reader, Matrix &value) {
  return failure(failed(reader.readHeader()) ||
                 failed(reader.readMatrix(value)));
}

LogicalResult nnet3::readTableValue(KaldiReader &reader,
                                    std::vector<float> &value) {
  return failure(failed(reader.readHeader()) ||
                 failed(reader.readVector(value)));
}

LogicalResult nnet3::readTableValue(KaldiReader &reader, std::string &value) {
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

void nnet3::writeTableValue(KaldiWriter &writer, const Matrix &value) {
  writer.writeHeader();
  writer.writeMatrix(value);
}

void nnet3::writeTableValue(KaldiWriter &writer,
                            const std::vector<float> &value) {
  writer.writeHeader();
  writer.writeVector(llvm::ArrayRef<float>(value));
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

/// Frames are counted in several ways, and segments rounded to hundredths of a
/// second: this many rows beyond the end are left out with a warning only.
static constexpr int64_t rowTolerance = 2;

/// Parses `first:last`, or `:` for everything, of a dimension `size`.
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

std::string nnet3::applyRange(StringRef range, Matrix &value,
                              std::string &warning) {
  auto [rowText, colText] = range.split(',');
  if (range == rowText)
    colText = ":";
  Interval rows, cols;
  std::string wrong =
      parseInterval(rowText, value.rows, rowTolerance, rows, warning);
  if (wrong.empty())
    wrong = parseInterval(colText, value.cols, /*tolerance=*/0, cols, warning);
  if (!wrong.empty())
    return wrong;
  // Moving rows to the front in place: no row moves backwards.
  float *to = value.data.data();
  for (int64_t r = rows.first; r <= rows.last; ++r) {
    llvm::ArrayRef<float> kept =
        std::as_const(value).row(r).slice(cols.first, cols.size());
    to = std::copy(kept.begin(), kept.end(), to);
  }
  value.rows = rows.size();
  value.cols = cols.size();
  value.data.resize(value.rows * value.cols);
  return "";
}

std::string nnet3::applyRange(StringRef range, std::vector<float> &value,
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

std::string nnet3::applyRange(StringRef, std::string &, std::string &) {
  return "expects no range for a word";
}
