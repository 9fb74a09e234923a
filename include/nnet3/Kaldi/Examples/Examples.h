//===- Examples.h - Training examples ---------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kaldi's egs: the matrices at the inputs and outputs of a network, and what
// their rows stand for (spec: formats.md 8.3).
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_KALDI_EXAMPLES_EXAMPLES_H
#define NNET3_KALDI_EXAMPLES_EXAMPLES_H

#include "nnet3/Kaldi/Examples/RowIndex.h"
#include "nnet3/Kaldi/Matrix/GeneralMatrix.h"
#include "llvm/Support/Error.h"
#include <string>

namespace nnet3::kaldi {

/// What an example has for one node.
struct NnetIo {
  /// The node: usually `input`, `ivector` or `output`.
  std::string name;
  /// One for each row of the matrix.
  std::vector<RowIndex> indexes;
  /// Features, or the supervision of an output: mostly sparse rows of classes
  /// and their weights.
  GeneralMatrix features;
};

/// A training example, or a minibatch of them.
struct NnetExample {
  std::vector<NnetIo> io;
};

/// Reads what an example has for a node. An io without name or with other
/// indexes than rows is an error.
llvm::LogicalResult readNnetIo(KaldiReader &reader, NnetIo &io);

void writeNnetIo(KaldiWriter &writer, const NnetIo &io);

/// Reads an example. An io without name, with other indexes than rows, or that
/// comes twice is an error.
llvm::LogicalResult readExample(KaldiReader &reader, NnetExample &example);

void writeExample(KaldiWriter &writer, const NnetExample &example);

/// The name, indexes and number of columns of an io.
std::string describeStructure(const NnetIo &io);

/// A text that is the same for examples that can be merged: those with the same
/// io, indexes and numbers of columns.
std::string describeStructure(const NnetExample &example);

/// The largest number of indexes of an io, the size of an example.
size_t getExampleSize(const NnetExample &example);

/// One io of several examples: the rows one behind the other, n counting the
/// examples from 0. Where all are sparse the result is, otherwise it is full.
llvm::Expected<NnetIo> mergeIo(llvm::ArrayRef<const NnetIo *> parts);

/// The error of a merged example if an io has an n other than 0, and is a
/// minibatch itself.
llvm::Error checkIsSingle(llvm::StringRef io, llvm::ArrayRef<RowIndex> indexes);

/// The examples as one minibatch: each io merged. There is at least one
/// example, and all have the same structure; one that is itself a minibatch is
/// an error.
llvm::Expected<NnetExample>
mergeExamples(llvm::ArrayRef<const NnetExample *> examples);

/// Compresses a full matrix as Kaldi's programs do.
void compressIo(NnetIo &io);

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_EXAMPLES_EXAMPLES_H
