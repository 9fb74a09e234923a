//===- AmTrainTransitionsMain.cpp - Training transitions and priors -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/TensorData.h"
#include "nnet3/Target/Kaldi/TrainTransitions.h"
#include "nnet3/Tools/Common/ModelFiles.h"
#include "nnet3/Tools/Common/NetworkProgram.h"
#include "nnet3/Tools/Models.h"

#include <numeric>

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;
using llvm::Error;
using llvm::Expected;

static const char kUsage[] =
    "Sets the transition probabilities and the priors of an acoustic model by "
    "what is\n"
    "seen in alignments.\n"
    "Usage: nnet3-am-train-transitions [options] MODEL ALIGNMENTS-RSPECIFIER "
    "NEW-MODEL\n"
    "\n"
    "e.g.: nnet3-am-train-transitions 0.mdl 'ark:gunzip -c ali.*.gz|' "
    "1.mdl\n";

static constexpr llvm::StringLiteral kName = "nnet3-am-train-transitions";

namespace {
struct TransitionsOptions : ProgramOptions {
  bool binary = true;
  bool setPriors = true;
  float priorFloor = 5.0e-6f;
  TransitionTraining training;
  std::string model, alignments, newModel;

  void registerOptions(OptionParser &parser) override;
  Error finish(ArrayRef<std::string> positional) override;
};

/// Counts of transition-ids.
struct AlignmentCounts {
  std::vector<double> ids;
  int64_t numAlignments = 0;
};
} // namespace

void TransitionsOptions::registerOptions(OptionParser &parser) {
  ProgramOptions::registerOptions(parser);
  parser.add("binary", &binary, "Write the model in binary");
  parser.beginGroup("Priors");
  parser.add("set-priors", &setPriors, "Set the priors, too");
  parser.add("prior-floor", &priorFloor, "No prior is less");
  parser.beginGroup("Transitions");
  parser.add("transition-min-count", &training.minCount,
             "A transition-state that is seen less often stays as it is");
  parser.add("transition-floor", &training.floor, "No probability is less");
  parser.add("share-for-pdfs", &training.shareForPdfs,
             "The transition-states of a pdf have the same probabilities");
}

Error TransitionsOptions::finish(ArrayRef<std::string> positional) {
  if (positional.size() != 3)
    return expectArguments("MODEL, ALIGNMENTS and NEW-MODEL",
                           positional.size());
  model = positional[0];
  alignments = positional[1];
  newModel = positional[2];
  if (Error error = expectAtLeast("prior-floor", 0, priorFloor))
    return error;
  return expectAtLeast("transition-floor", 0, training.floor);
}

/// Counts all transition-ids of a table.
static Expected<AlignmentCounts> count(const TransitionsOptions &options,
                                       size_t numIds) {
  auto reader = SequentialTableReader<std::vector<int32_t>>::open(
      options.alignments, options.getTableOptions());
  if (!reader)
    return reader.takeError();
  AlignmentCounts counts;
  counts.ids.resize(numIds);
  while (true) {
    Expected<bool> more = (*reader)->next();
    if (!more)
      return more.takeError();
    if (!*more)
      return counts;
    for (int32_t id : (*reader)->getValue()) {
      if (id < 1 || size_t(id) > numIds)
        return makeFileError(options.alignments,
                             "expects transition-ids from 1 to " +
                                 llvm::Twine(numIds) + ", but " +
                                 quoteForMessage((*reader)->getKey()) +
                                 " has " + llvm::Twine(id));
      ++counts.ids[id - 1];
    }
    ++counts.numAlignments;
  }
}

/// Divides the values by their sum.
static void normalize(MutableArrayRef<double> values) {
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  for (double &value : values)
    value /= sum;
}

/// Returns the priors of all pdfs; an error if all counts are zero.
static Expected<std::vector<double>>
getPriors(ArrayRef<TransitionId> ids, ArrayRef<double> counts, double floor) {
  std::vector<double> priors;
  for (auto [id, count] : llvm::zip_equal(ids, counts)) {
    priors.resize(std::max(priors.size(), size_t(id.pdf) + 1));
    priors[id.pdf] += count;
  }
  if (llvm::all_of(priors, [](double prior) { return prior == 0; }))
    return makeFileError("", "the alignments have no frames");
  normalize(priors);
  for (double &prior : priors)
    prior = std::max(prior, floor);
  normalize(priors);
  return priors;
}

static void setPriors(NetworkOp network, ArrayRef<double> values) {
  TensorStorage storage;
  llvm::copy(values, storage.allocate({int64_t(values.size())}));
  network.setPriorsAttr(storage.take(network.getContext(), "priors"));
}

/// Trains the network's transition model and sets its priors.
static Error train(NetworkOp network, const TransitionsOptions &options) {
  TransitionModel model;
  std::optional<StringRef> packed =
      getByteData(network.getTransitionModelAttr());
  if (Error error =
          readPackedTransitionModel(packed.value_or(StringRef()), model))
    return error;
  auto ids = getTransitionIds(model);
  if (!ids)
    return ids.takeError();
  Expected<AlignmentCounts> counts = count(options, ids->size());
  if (!counts)
    return counts.takeError();
  if (options.setPriors) {
    auto priors = getPriors(*ids, counts->ids, options.priorFloor);
    if (!priors)
      return priors.takeError();
    setPriors(network, *priors);
  }
  trainTransitions(model, *ids, counts->ids, options.training);
  network.setTransitionModelAttr(makeByteData(
      network.getContext(), packTransitionModel(model), "transition_model"));
  printLog(kName, "Accumulated transition stats of " +
                      llvm::Twine(counts->numAlignments) + " alignments");
  return Error::success();
}

static LogicalResult run(MLIRContext *context,
                         const TransitionsOptions &options) {
  FailureOr<ModelFile> model = loadAcousticModel(options.model, context);
  if (failed(model) ||
      failed(emitFileError(context, train(model->network, options))) ||
      failed(
          writeAcousticFile(options.newModel, model->network, options.binary)))
    return failure();
  printLog(kName, "Trained transitions of neural network model and wrote it "
                  "to " +
                      options.newModel);
  return success();
}

int mlir::nnet3::amTrainTransitionsMain(int argc, char **argv) {
  TransitionsOptions options;
  return runNetworkProgram(
      kUsage, argc, argv, options,
      [&](MLIRContext *context) { return run(context, options); });
}
