//===- MergeExamples.cpp - Merging training examples into minibatches -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Kaldi/Examples/Examples.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace nnet3::kaldi;

std::string nnet3::kaldi::describeStructure(const NnetIo &io) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << io.name << ' ' << getNumCols(io.features);
  for (const RowIndex &index : io.indexes)
    os << ' ' << index.n << ',' << index.t << ',' << index.x;
  os << '\n';
  return text;
}

std::string nnet3::kaldi::describeStructure(const NnetExample &example) {
  std::string text;
  for (const NnetIo &io : example.io)
    text += describeStructure(io);
  return text;
}

size_t nnet3::kaldi::getExampleSize(const NnetExample &example) {
  size_t size = 0;
  for (const NnetIo &io : example.io)
    size = std::max(size, io.indexes.size());
  return size;
}

/// Concatenates the rows of `parts`, which are all sparse.
static SparseMatrix appendSparseRows(llvm::ArrayRef<const NnetIo *> parts) {
  SparseMatrix result;
  for (const NnetIo *part : parts) {
    const auto &sparse = std::get<SparseMatrix>(part->features);
    llvm::append_range(result.rows, sparse.rows);
    result.cols = sparse.cols;
  }
  return result;
}

static Matrix appendFullRows(llvm::ArrayRef<const NnetIo *> parts) {
  Matrix result;
  for (const NnetIo *part : parts) {
    Matrix full = toFull(part->features);
    llvm::append_range(result.data, full.data);
    result.rows += full.rows;
    result.cols = full.cols;
  }
  return result;
}

static GeneralMatrix appendRows(llvm::ArrayRef<const NnetIo *> parts) {
  bool allSparse = llvm::all_of(parts, [](const NnetIo *part) {
    return std::holds_alternative<SparseMatrix>(part->features);
  });
  if (allSparse)
    return appendSparseRows(parts);
  return appendFullRows(parts);
}

llvm::Error nnet3::kaldi::checkIsSingle(llvm::StringRef io,
                                        llvm::ArrayRef<RowIndex> indexes) {
  for (const RowIndex &index : indexes)
    if (index.n != 0)
      return makeFileError("", "an example whose '" + io +
                                   "' has n = " + llvm::Twine(index.n) +
                                   " is a minibatch already");
  return llvm::Error::success();
}

llvm::Expected<NnetIo>
nnet3::kaldi::mergeIo(llvm::ArrayRef<const NnetIo *> parts) {
  NnetIo result;
  result.name = parts.front()->name;
  for (auto [n, part] : llvm::enumerate(parts)) {
    if (llvm::Error error = checkIsSingle(part->name, part->indexes))
      return error;
    for (const RowIndex &index : part->indexes)
      result.indexes.push_back({static_cast<int32_t>(n), index.t, index.x});
  }
  result.features = appendRows(parts);
  return result;
}

llvm::Expected<NnetExample>
nnet3::kaldi::mergeExamples(llvm::ArrayRef<const NnetExample *> examples) {
  NnetExample result;
  for (size_t i = 0; i < examples.front()->io.size(); ++i) {
    std::vector<const NnetIo *> parts;
    for (const NnetExample *example : examples)
      parts.push_back(&example->io[i]);
    llvm::Expected<NnetIo> io = mergeIo(parts);
    if (!io)
      return io.takeError();
    result.io.push_back(std::move(*io));
  }
  return result;
}

void nnet3::kaldi::compressIo(NnetIo &io) {
  if (auto *full = std::get_if<Matrix>(&io.features))
    io.features = CompressedMatrix(*full, CompressionMethod::Automatic);
}
