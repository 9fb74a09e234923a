//===- MergeExamples.cpp - Training examples to minibatches ---------------===//
#include "nnet3/Target/Kaldi/Examples.h"
#include "nnet3/Target/Kaldi/KaldiError.h"
#include "llvm/ADT/STLExtras.h"

using namespace nnet3;

bool nnet3::haveSameStructure(const NnetExample &a, const NnetExample &b) {
  auto isSame = [](const NnetIo &left, const NnetIo &right) {
    return left.name == right.name && left.indexes == right.indexes &&
           getNumCols(left.features) == getNumCols(right.features);
  };
  return a.io.size() == b.io.size() &&
         std::equal(a.io.begin(), a.io.end(), b.io.begin(), isSame);
}

/// The rows of `parts`, all sparse, one behind the other.
static SparseMatrix
appendSparseRows(llvm::ArrayRef<const GeneralMatrix *> parts) {
  SparseMatrix result;
  for (const GeneralMatrix *part : parts) {
    const auto &sparse = std::get<SparseMatrix>(*part);
    llvm::append_range(result.rows, sparse.rows);
    result.cols = sparse.cols;
  }
  return result;
}

static Matrix appendFullRows(llvm::ArrayRef<const GeneralMatrix *> parts) {
  Matrix result;
  for (const GeneralMatrix *part : parts) {
    Matrix full = toFull(*part);
    llvm::append_range(result.data, full.data);
    result.rows += full.rows;
    result.cols = full.cols;
  }
  return result;
}

static GeneralMatrix appendRows(llvm::ArrayRef<const GeneralMatrix *> parts) {
  bool allSparse = llvm::all_of(parts, [](const GeneralMatrix *part) {
    return std::holds_alternative<SparseMatrix>(*part);
  });
  if (allSparse)
    return appendSparseRows(parts);
  return appendFullRows(parts);
}

/// Io number `number` of all examples.
static llvm::Expected<NnetIo> mergeIo(llvm::ArrayRef<NnetExample> examples,
                                      size_t number) {
  NnetIo result;
  result.name = examples.front().io[number].name;
  std::vector<const GeneralMatrix *> parts;
  int32_t n = 0;
  for (const NnetExample &example : examples) {
    const NnetIo &io = example.io[number];
    parts.push_back(&io.features);
    for (RowIndex index : io.indexes) {
      if (index.n != 0)
        return makeFileError("", "an example whose '" + result.name +
                                     "' has n = " + llvm::Twine(index.n) +
                                     " is a minibatch already");
      index.n = n;
      result.indexes.push_back(index);
    }
    ++n;
  }
  result.features = appendRows(parts);
  return result;
}

llvm::Expected<NnetExample>
nnet3::mergeExamples(llvm::ArrayRef<NnetExample> examples) {
  NnetExample result;
  for (size_t i = 0; i < examples.front().io.size(); ++i) {
    llvm::Expected<NnetIo> io = mergeIo(examples, i);
    if (!io)
      return io.takeError();
    result.io.push_back(std::move(*io));
  }
  return result;
}

void nnet3::compressIo(NnetIo &io) {
  if (auto *full = std::get_if<Matrix>(&io.features))
    io.features = CompressedMatrix(*full, CompressionMethod::Automatic);
}
