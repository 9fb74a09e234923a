//===- ChainExamples.h - Examples of chain training -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kaldi's chain egs: matrices at the inputs of a network and, at the outputs,
// graphs of what may be said (spec: formats.md 8.4).
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
  /// The rows of the output, all sequences of a time before the next time.
  std::vector<RowIndex> indexes;
  float weight = 1;
  int32_t numSequences = 0;
  int32_t framesPerSequence = 0;
  int32_t labelDim = 0;
  bool endToEnd = false;
  /// One for all sequences; end to end, one for each.
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

/// Reads an example. Weights of derivatives in the older form of bytes become
/// numbers.
llvm::LogicalResult readChainExample(KaldiReader &reader,
                                     NnetChainExample &example);

/// Reads the supervision of an utterance, of which examples are made: all but
/// name, indexes and weights of derivatives.
llvm::LogicalResult readUtteranceSupervision(KaldiReader &reader,
                                             ChainSupervision &supervision);

void writeChainExample(KaldiWriter &writer, const NnetChainExample &example);

/// A text that is the same for chain examples that can be merged. Beside the
/// indexes all that a supervision has for its sequences together is the same.
std::string describeStructure(const NnetChainExample &example);

/// The largest number of indexes of an input or output.
size_t getExampleSize(const NnetChainExample &example);

/// The examples as one minibatch: inputs as those of other examples, outputs
/// with the rows of all examples for a frame before those for the next. The
/// graphs of the sequences come one behind the other, or where they are one, it
/// is their concatenation. As for other examples, all have the same structure;
/// one that is itself a minibatch is an error, and so are other numbers of
/// weights of derivatives, or of pdfs of the alignment, than rows.
llvm::Expected<NnetChainExample>
mergeExamples(llvm::ArrayRef<const NnetChainExample *> examples);

/// An example of either kind.
using AnyExample = std::variant<NnetExample, NnetChainExample>;

/// Reads an example of the kind that comes.
llvm::LogicalResult readAnyExample(KaldiReader &reader, AnyExample &example);

/// The matrices of an example. The outputs of a chain example have none.
std::vector<NnetIo> &getMatrices(AnyExample &example);

std::string describeStructure(const AnyExample &example);
size_t getExampleSize(const AnyExample &example);
llvm::Expected<AnyExample>
mergeExamples(llvm::ArrayRef<const AnyExample *> examples);

/// The number of sequences of a minibatch.
int32_t getNumSequences(const AnyExample &example);

/// `count` sequences of a minibatch from `first` on as a minibatch of their
/// own; the inverse of merging. A graph of chain supervision that is not that
/// of its sequences and frames is an error.
llvm::Expected<AnyExample> takeSequences(const AnyExample &example,
                                         int32_t first, int32_t count);

/// The example as far as computing goes: outputs of a chain example have their
/// indexes, and no matrix.
NnetExample takeRows(AnyExample example);

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_EXAMPLES_CHAINEXAMPLES_H
