//===- ChainExamples.h - Examples of chain training -------------*- C++ -*-===//
//
// Kaldi's chain egs: matrices at the inputs of a network and, at the outputs,
// graphs of what may be said (spec: formats.md 8.4).
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_TARGET_KALDI_CHAINEXAMPLES_H
#define NNET3_TARGET_KALDI_CHAINEXAMPLES_H

#include "nnet3/Target/Kaldi/CompactFst.h"
#include "nnet3/Target/Kaldi/Examples.h"

namespace nnet3 {

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

void writeChainExample(KaldiWriter &writer, const NnetChainExample &example);

/// An example of either kind as far as computing goes: outputs of a chain
/// example have their indexes, and no matrix.
struct ExampleRows : NnetExample {};

/// Reads an example of the kind that comes.
llvm::LogicalResult readExampleRows(KaldiReader &reader, ExampleRows &example);

} // namespace nnet3

#endif // NNET3_TARGET_KALDI_CHAINEXAMPLES_H
