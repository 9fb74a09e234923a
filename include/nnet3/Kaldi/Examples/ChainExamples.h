//===- ChainExamples.h - Examples of chain training -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kaldi's chain egs: matrices for the inputs of a network, and numerator graphs
// for its outputs (spec: formats.md 8.4).
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_KALDI_EXAMPLES_CHAINEXAMPLES_H
#define NNET3_KALDI_EXAMPLES_CHAINEXAMPLES_H

#include "nnet3/Kaldi/Examples/CompactFst.h"
#include "nnet3/Kaldi/Examples/Examples.h"
#include <variant>

namespace nnet3::kaldi {

/// The supervision of an output.
struct ChainSupervision {
  /// The node, usually `output`.
  std::string name;
  /// The rows of the output, with the sequences innermost.
  std::vector<RowIndex> indexes;
  float weight = 1;
  int32_t numSequences = 0;
  int32_t framesPerSequence = 0;
  int32_t labelDim = 0;
  bool endToEnd = false;
  /// One graph for all sequences; if `endToEnd`, one for each sequence.
  std::vector<CompactFst> graphs;
  std::optional<std::vector<int32_t>> alignmentPdfs;
  /// A weight of the derivative for each row; older examples have none.
  std::optional<std::vector<float>> derivativeWeights;
};

/// A chain example, or a minibatch of them.
struct NnetChainExample {
  std::vector<NnetIo> inputs;
  std::vector<ChainSupervision> outputs;
};

/// Reads an example. Converts derivative weights in the older form of bytes to
/// floats.
llvm::LogicalResult readChainExample(KaldiReader &reader,
                                     NnetChainExample &example);

/// Reads the supervision of an utterance, from which examples are made. It has
/// no name, indexes and derivative weights.
llvm::LogicalResult readUtteranceSupervision(KaldiReader &reader,
                                             ChainSupervision &supervision);

void writeChainExample(KaldiWriter &writer, const NnetChainExample &example);

/// Returns a text that is equal for chain examples that can be merged. These
/// have equal inputs, indexes, and properties of the supervision that all
/// sequences share.
std::string describeStructure(const NnetChainExample &example);

/// Returns the largest number of indexes of an input or output.
size_t getExampleSize(const NnetChainExample &example);

/// Merges examples to one minibatch: inputs like those of other examples,
/// outputs with the sequences innermost. The graphs are one for each sequence
/// if end to end, else the concatenation of those of the examples. All examples
/// must have the same structure. Returns an error if an example is itself a
/// minibatch, or if the number of derivative weights or of alignment pdfs is
/// not the number of rows.
llvm::Expected<NnetChainExample>
mergeExamples(llvm::ArrayRef<const NnetChainExample *> examples);

/// An example of either kind.
using AnyExample = std::variant<NnetExample, NnetChainExample>;

/// Reads an example of either kind, recognised by its content.
llvm::LogicalResult readAnyExample(KaldiReader &reader, AnyExample &example);

/// The matrices of an example. The outputs of a chain example have none.
std::vector<NnetIo> &getMatrices(AnyExample &example);

std::string describeStructure(const AnyExample &example);
size_t getExampleSize(const AnyExample &example);
llvm::Expected<AnyExample>
mergeExamples(llvm::ArrayRef<const AnyExample *> examples);

/// The number of sequences of a minibatch.
int32_t getNumSequences(const AnyExample &example);

/// Extracts `count` sequences of a minibatch from `first` on as a minibatch;
/// the inverse of merging. Returns an error if a graph of chain supervision
/// does not match its number of sequences and frames.
llvm::Expected<AnyExample> takeSequences(const AnyExample &example,
                                         int32_t first, int32_t count);

/// Converts an example to the form without graphs, for computing its outputs:
/// outputs of a chain example have indexes and no matrix.
NnetExample takeRows(AnyExample example);

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_EXAMPLES_CHAINEXAMPLES_H
