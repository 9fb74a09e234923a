//===- SplitExamples.cpp - Splitting minibatches --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Kaldi/Examples/ChainExamples.h"
#include "nnet3/Kaldi/IO/KaldiError.h"

using namespace nnet3::kaldi;
using llvm::Expected;

namespace {
/// A range of sequences.
struct SequenceRange {
  int32_t first, count;

  bool contains(const RowIndex &index) const {
    return index.n >= first && index.n - first < count;
  }
};
} // namespace

/// Returns the numbers of the rows in `range`, and sets their indexes.
static std::vector<int64_t> takeIndexes(llvm::ArrayRef<RowIndex> from,
                                        SequenceRange range,
                                        std::vector<RowIndex> &indexes) {
  std::vector<int64_t> rows;
  for (size_t row = 0; row < from.size(); ++row) {
    RowIndex index = from[row];
    if (!range.contains(index))
      continue;
    index.n -= range.first;
    indexes.push_back(index);
    rows.push_back(row);
  }
  return rows;
}

static NnetIo takeFrom(const NnetIo &io, SequenceRange range) {
  NnetIo result;
  result.name = io.name;
  result.features =
      selectRows(io.features, takeIndexes(io.indexes, range, result.indexes));
  return result;
}

/// Returns the values of some rows; none unless there is a value for each row.
template <typename T>
static std::optional<std::vector<T>>
takeValues(const std::optional<std::vector<T>> &values, size_t numRows,
           llvm::ArrayRef<int64_t> rows) {
  if (!values || values->size() != numRows)
    return std::nullopt;
  std::vector<T> result;
  for (int64_t row : rows)
    result.push_back((*values)[row]);
  return result;
}

/// Sets the graphs of `to`: for end-to-end examples one per sequence, otherwise
/// the part of the common graph.
static llvm::Error takeGraphs(const ChainSupervision &from, SequenceRange range,
                              ChainSupervision &to) {
  if (from.endToEnd) {
    const auto begin = from.graphs.begin() + range.first;
    to.graphs.assign(begin, begin + range.count);
    return llvm::Error::success();
  }
  const CompactFst &graph = from.graphs.front();
  const int64_t numFrames = int64_t(from.numSequences) * from.framesPerSequence;
  if (from.framesPerSequence < 1 || numFrames > INT32_MAX)
    return makeFileError("", "'" + from.name + "' has sequences of " +
                                 llvm::Twine(from.framesPerSequence) +
                                 " frames");
  std::vector<int32_t> times;
  const std::string error = findStateTimes(graph, numFrames, times);
  if (!error.empty())
    return makeFileError("", "the graph of '" + from.name + "' " + error);
  to.graphs.push_back(cutFrames(graph, times,
                                range.first * from.framesPerSequence,
                                range.count * from.framesPerSequence));
  return llvm::Error::success();
}

static Expected<ChainSupervision> takeFrom(const ChainSupervision &from,
                                           SequenceRange range) {
  if (range.first + range.count > from.numSequences)
    return makeFileError("", "'" + from.name + "' has rows of more than its " +
                                 llvm::Twine(from.numSequences) + " sequences");
  ChainSupervision result;
  result.name = from.name;
  result.weight = from.weight;
  result.numSequences = range.count;
  result.framesPerSequence = from.framesPerSequence;
  result.labelDim = from.labelDim;
  result.endToEnd = from.endToEnd;
  const std::vector<int64_t> rows =
      takeIndexes(from.indexes, range, result.indexes);
  result.alignmentPdfs =
      takeValues(from.alignmentPdfs, from.indexes.size(), rows);
  result.derivativeWeights =
      takeValues(from.derivativeWeights, from.indexes.size(), rows);
  if (llvm::Error error = takeGraphs(from, range, result))
    return error;
  return result;
}

static void count(llvm::ArrayRef<RowIndex> indexes, int32_t &numSequences) {
  for (const RowIndex &index : indexes)
    numSequences = std::max(numSequences, std::min(index.n, INT32_MAX - 1) + 1);
}

int32_t nnet3::kaldi::getNumSequences(const AnyExample &example) {
  int32_t numSequences = 0;
  auto *plain = std::get_if<NnetExample>(&example);
  auto *chain = std::get_if<NnetChainExample>(&example);
  for (const NnetIo &io : plain ? plain->io : chain->inputs)
    count(io.indexes, numSequences);
  if (chain)
    for (const ChainSupervision &output : chain->outputs)
      count(output.indexes, numSequences);
  return numSequences;
}

Expected<AnyExample> nnet3::kaldi::takeSequences(const AnyExample &example,
                                                 int32_t first, int32_t count) {
  const SequenceRange range{first, count};
  if (auto *plain = std::get_if<NnetExample>(&example)) {
    NnetExample result;
    for (const NnetIo &io : plain->io)
      result.io.push_back(takeFrom(io, range));
    return AnyExample(std::move(result));
  }
  const auto &chain = std::get<NnetChainExample>(example);
  NnetChainExample result;
  for (const NnetIo &io : chain.inputs)
    result.inputs.push_back(takeFrom(io, range));
  for (const ChainSupervision &output : chain.outputs) {
    Expected<ChainSupervision> part = takeFrom(output, range);
    if (!part)
      return part.takeError();
    result.outputs.push_back(std::move(*part));
  }
  return AnyExample(std::move(result));
}
