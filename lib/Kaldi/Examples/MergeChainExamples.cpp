//===- MergeChainExamples.cpp - Merging chain examples into minibatches ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Kaldi/Examples/ChainExamples.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "llvm/Support/raw_ostream.h"

using namespace nnet3::kaldi;

using Parts = llvm::ArrayRef<const ChainSupervision *>;

/// Returns the number of per-row values; -1 if the example has none.
template <typename T>
static int64_t countValues(const std::optional<std::vector<T>> &values) {
  return values ? static_cast<int64_t>(values->size()) : -1;
}

static void describeSupervision(const ChainSupervision &output,
                                llvm::raw_ostream &os) {
  os << describeStructure({output.name, output.indexes, Matrix()})
     // Hexadecimal, so that no digit of the weight is lost.
     << llvm::format("%a", output.weight) << ' ' << output.framesPerSequence
     << ' ' << output.labelDim << ' ' << output.endToEnd << ' '
     << countValues(output.alignmentPdfs) << ' '
     << countValues(output.derivativeWeights) << '\n';
}

std::string nnet3::kaldi::describeStructure(const NnetChainExample &example) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "chain\n";
  for (const NnetIo &io : example.inputs)
    os << describeStructure(io);
  os << '\n';
  for (const ChainSupervision &output : example.outputs)
    describeSupervision(output, os);
  return text;
}

size_t nnet3::kaldi::getExampleSize(const NnetChainExample &example) {
  size_t size = 0;
  for (const NnetIo &io : example.inputs)
    size = std::max(size, io.indexes.size());
  for (const ChainSupervision &output : example.outputs)
    size = std::max(size, output.indexes.size());
  return size;
}

static llvm::Error checkSupervision(const ChainSupervision &output) {
  if (llvm::Error error = checkIsSingle(output.name, output.indexes))
    return error;
  if (output.numSequences != 1)
    return makeFileError("", "an example whose '" + output.name + "' has " +
                                 llvm::Twine(output.numSequences) +
                                 " sequences is a minibatch already");
  int64_t numRows = output.indexes.size();
  for (int64_t count : {countValues(output.derivativeWeights),
                        countValues(output.alignmentPdfs)})
    if (count >= 0 && count != numRows)
      return makeFileError("", "expects a weight and a pdf for each of the " +
                                   llvm::Twine(numRows) + " rows of '" +
                                   output.name + "', but got " +
                                   llvm::Twine(count));
  return llvm::Error::success();
}

/// Returns the values of all parts for row 0, then those for row 1, and so on.
template <typename T, typename GetFn>
static std::vector<T> interleave(Parts parts, GetFn get) {
  std::vector<T> result;
  for (size_t row = 0; row < parts.front()->indexes.size(); ++row)
    for (size_t n = 0; n < parts.size(); ++n)
      result.push_back(get(n, row));
  return result;
}

static llvm::Error mergeGraphs(Parts parts, ChainSupervision &result) {
  for (const ChainSupervision *part : parts)
    result.graphs.push_back(part->graphs.front());
  if (result.endToEnd)
    return llvm::Error::success();
  llvm::Expected<CompactFst> all = concatenate(result.graphs);
  if (!all)
    return all.takeError();
  result.graphs = {std::move(*all)};
  return llvm::Error::success();
}

static llvm::Expected<ChainSupervision> mergeSupervisions(Parts parts) {
  for (const ChainSupervision *part : parts)
    if (llvm::Error error = checkSupervision(*part))
      return error;
  const ChainSupervision &first = *parts.front();
  ChainSupervision result;
  result.name = first.name;
  result.weight = first.weight;
  result.numSequences = parts.size();
  result.framesPerSequence = first.framesPerSequence;
  result.labelDim = first.labelDim;
  result.endToEnd = first.endToEnd;
  result.indexes = interleave<RowIndex>(parts, [&](size_t n, size_t row) {
    const RowIndex &index = parts[n]->indexes[row];
    return RowIndex{static_cast<int32_t>(n), index.t, index.x};
  });
  if (first.alignmentPdfs)
    result.alignmentPdfs =
        interleave<int32_t>(parts, [&](size_t n, size_t row) {
          return (*parts[n]->alignmentPdfs)[row];
        });
  if (first.derivativeWeights)
    result.derivativeWeights =
        interleave<float>(parts, [&](size_t n, size_t row) {
          return (*parts[n]->derivativeWeights)[row];
        });
  if (llvm::Error error = mergeGraphs(parts, result))
    return error;
  return result;
}

/// Merges element number i of `get(example)` of all examples.
template <typename MergeFn, typename T>
static llvm::Error
mergeElements(llvm::ArrayRef<const NnetChainExample *> examples,
              std::vector<T> NnetChainExample::*list, MergeFn merge,
              NnetChainExample &result) {
  for (size_t i = 0; i < (examples.front()->*list).size(); ++i) {
    std::vector<const T *> parts;
    for (const NnetChainExample *example : examples)
      parts.push_back(&(example->*list)[i]);
    llvm::Expected<T> merged = merge(parts);
    if (!merged)
      return merged.takeError();
    (result.*list).push_back(std::move(*merged));
  }
  return llvm::Error::success();
}

llvm::Expected<NnetChainExample>
nnet3::kaldi::mergeExamples(llvm::ArrayRef<const NnetChainExample *> examples) {
  NnetChainExample result;
  if (llvm::Error error =
          mergeElements(examples, &NnetChainExample::inputs, mergeIo, result))
    return error;
  if (llvm::Error error = mergeElements(examples, &NnetChainExample::outputs,
                                        mergeSupervisions, result))
    return error;
  return result;
}
