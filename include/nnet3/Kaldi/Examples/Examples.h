//===- Examples.h - Training examples ---------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kaldi's egs: the matrices for the inputs and outputs of a network, with the
// indexes of their rows (spec: formats.md 8.3).
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_KALDI_EXAMPLES_EXAMPLES_H
#define NNET3_KALDI_EXAMPLES_EXAMPLES_H

#include "nnet3/Kaldi/Examples/RowIndex.h"
#include "nnet3/Kaldi/Matrix/GeneralMatrix.h"
#include "llvm/Support/Error.h"
#include <string>

namespace nnet3::kaldi {

/// The matrix of an example for one node.
struct NnetIo {
  /// The node: usually `input`, `ivector` or `output`.
  std::string name;
  /// One for each row of the matrix.
  std::vector<RowIndex> indexes;
  /// The features, or the supervision of an output, which mostly has sparse
  /// rows of classes and their weights.
  GeneralMatrix features;
};

/// A training example, or a minibatch of them.
struct NnetExample {
  std::vector<NnetIo> io;
};

/// Reads the matrix for one node. Fails if it has no name, or if the numbers of
/// indexes and rows differ.
llvm::LogicalResult readNnetIo(KaldiReader &reader, NnetIo &io);

void writeNnetIo(KaldiWriter &writer, const NnetIo &io);

/// Reads an example. Fails as readNnetIo() does, and if a name occurs twice.
llvm::LogicalResult readExample(KaldiReader &reader, NnetExample &example);

void writeExample(KaldiWriter &writer, const NnetExample &example);

/// Returns a text with the name, indexes and number of columns of an io.
std::string describeStructure(const NnetIo &io);

/// Returns a text that is equal for examples that can be merged, which have the
/// same io, indexes and numbers of columns.
std::string describeStructure(const NnetExample &example);

/// Returns the size of an example: the largest number of indexes of an io.
size_t getExampleSize(const NnetExample &example);

/// Merges one io of several examples by concatenating their rows; n is the
/// number of the example. The result is sparse if all parts are, otherwise
/// full.
llvm::Expected<NnetIo> mergeIo(llvm::ArrayRef<const NnetIo *> parts);

/// Returns an error if `indexes` have an n other than 0, because the io of an
/// example to merge is then itself a minibatch.
llvm::Error checkIsSingle(llvm::StringRef io, llvm::ArrayRef<RowIndex> indexes);

/// Merges examples, at least one, to a minibatch. All must have the same
/// structure. Returns an error if one is itself a minibatch.
llvm::Expected<NnetExample>
mergeExamples(llvm::ArrayRef<const NnetExample *> examples);

/// Compresses a full matrix as Kaldi's programs do.
void compressIo(NnetIo &io);

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_EXAMPLES_EXAMPLES_H
