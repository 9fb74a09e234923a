//===- ChainUtterance.cpp - Chain supervision of utterances ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ChainUtterance.h"
#include "SupervisionGraphs.h"
#include "nnet3/Kaldi/IO/KaldiError.h"

#include "llvm/ADT/STLExtras.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

static constexpr StringRef kName = "nnet3-chain-get-egs";

Error ChainUtterance::fail(const Twine &message) const {
  return makeFileError("", "supervision of utterance " + utterance + ": " +
                               message);
}

Error ChainUtterance::readNormalization() {
  if (options.normalization.empty())
    return Error::success();
  Expected<CompactFst> graph = readFstFile(options.normalization);
  if (!graph)
    return graph.takeError();
  for (CompactFst::State &state : graph->states) {
    if (state.final)
      *state.final *= options.normalizationScale;
    for (CompactFst::Arc &arc : state.arcs)
      arc.weight *= options.normalizationScale;
  }
  normalization = std::move(*graph);
  return Error::success();
}

Error ChainUtterance::readTransitions() {
  if (options.transitionModel.empty())
    return Error::success();
  Expected<TransitionLabels> labels =
      TransitionLabels::read(options.transitionModel);
  if (!labels)
    return labels.takeError();
  transitions = std::move(*labels);
  return Error::success();
}

Expected<std::unique_ptr<ChainUtterance>>
ChainUtterance::open(const ChainGetEgsOptions &options) {
  std::unique_ptr<ChainUtterance> result(new ChainUtterance(options));
  if (Error error = result->readNormalization())
    return error;
  if (Error error = result->readTransitions())
    return error;
  auto table = RandomAccessTableReader<ChainSupervision>::open(
      options.supervision, options.getTableOptions());
  if (!table)
    return table.takeError();
  result->table = std::move(*table);
  if (options.derivativeWeights.empty())
    return result;
  auto weights = RandomAccessVectorReader::open(options.derivativeWeights,
                                                options.getTableOptions());
  if (!weights)
    return weights.takeError();
  result->weightTable = std::move(*weights);
  return result;
}

/// Checks that the supervision has one sequence, and computes the frames of its
/// states.
Error ChainUtterance::checkSupervision() {
  if (supervision->numSequences != 1 || supervision->framesPerSequence < 1)
    return fail("expects one sequence, but got " +
                Twine(supervision->numSequences) + " of " +
                Twine(supervision->framesPerSequence) + " frames");
  times.clear();
  if (supervision->endToEnd && transitions)
    return fail("end-to-end supervision has no transition-ids; see "
                "--transition-model");
  if (supervision->endToEnd)
    return Error::success();
  const CompactFst &graph = supervision->graphs.front();
  std::string error =
      findStateTimes(graph, supervision->framesPerSequence, times);
  if (error.empty() && transitions)
    error = transitions->check(graph);
  return error.empty() ? Error::success() : fail(error);
}

Expected<int32_t> ChainUtterance::select(const ExampleSource &source) {
  StringRef key = source.key;
  utterance = key.str();
  Expected<const ChainSupervision *> found = table->find(key);
  if (!found)
    return found.takeError();
  supervision = *found;
  if (!supervision)
    return -1;
  if (Error error = checkSupervision())
    return error;
  if (!weightTable)
    return supervision->framesPerSequence;
  Expected<const std::vector<float> *> vector = weightTable->find(key);
  if (!vector)
    return vector.takeError();
  weights = *vector;
  return weights ? supervision->framesPerSequence : -1;
}

Expected<CompactFst>
ChainUtterance::makeGraph(int32_t first, int32_t count,
                          std::optional<std::vector<int32_t>> &pathPdfs) const {
  const CompactFst &whole = supervision->graphs.front();
  if (supervision->endToEnd) {
    if (first != 0 || count != supervision->framesPerSequence)
      return fail("end-to-end supervision needs --num-frames=-1, or chunks of "
                  "the utterance's length");
    return normalization ? simplify(whole, normalization) : whole;
  }
  CompactFst chunk = cutFrames(whole, times, first, count);
  if (!transitions)
    return simplify(chunk, normalization);
  pathPdfs = getPathPdfs(chunk, *transitions);
  return makeUnconstrained(std::move(chunk), *transitions, normalization);
}

/// Frames past the end of the weights have weight zero.
std::vector<float>
ChainUtterance::makeWeights(int32_t first, const ExampleChunk &chunk) const {
  std::vector<float> result = chunk.outputWeights;
  if (weights)
    for (auto [number, weight] : llvm::enumerate(result))
      weight *=
          first + number < weights->size() ? (*weights)[first + number] : 0.0f;
  return result;
}

Expected<std::optional<AnyExample>>
ChainUtterance::makeExample(std::vector<NnetIo> inputs,
                            const ExampleChunk &chunk) const {
  const int32_t factor = options.chunks.frameSubsamplingFactor;
  const int32_t first = chunk.firstFrame / factor;
  const auto count = int32_t(chunk.outputWeights.size());
  const auto none = std::optional<AnyExample>();

  NnetChainExample example;
  ChainSupervision &output = example.outputs.emplace_back();
  output.derivativeWeights = makeWeights(first, chunk);
  if (llvm::all_of(*output.derivativeWeights,
                   [](float weight) { return weight == 0; })) {
    printWarning(kName, "the weights of a chunk of utterance " + utterance +
                            " from frame " + Twine(chunk.firstFrame) +
                            " are 0");
    return none;
  }
  output.alignmentPdfs = supervision->alignmentPdfs;
  Expected<CompactFst> graph = makeGraph(first, count, output.alignmentPdfs);
  if (!graph)
    return graph.takeError();
  if (graph->states.empty()) {
    printWarning(kName, "the normalization graph accepts nothing of a chunk of "
                        "utterance " +
                            utterance + " from frame " +
                            Twine(chunk.firstFrame));
    return none;
  }
  output.name = "output";
  for (int32_t i = 0; i < count; ++i)
    output.indexes.push_back({0, i * factor, 0});
  output.weight = supervision->weight;
  output.numSequences = 1;
  output.framesPerSequence = count;
  output.labelDim =
      transitions ? transitions->getNumPdfs() : supervision->labelDim;
  output.endToEnd = supervision->endToEnd || transitions;
  output.graphs.push_back(std::move(*graph));
  example.inputs = std::move(inputs);
  return AnyExample(std::move(example));
}
