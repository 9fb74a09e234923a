//===- AlignLoglikesMain.cpp - Log-likelihoods of alignments --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Kaldi/IO/PrintableText.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/TensorData.h"
#include "nnet3/Target/Kaldi/TrainTransitions.h"
#include "nnet3/Tools/Align.h"
#include "nnet3/Tools/Common/ModelFiles.h"
#include "nnet3/Tools/Common/NetworkComputer.h"
#include "nnet3/Tools/Common/NetworkProgram.h"
#include "nnet3/Tools/Common/TestModes.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;
using llvm::Error;
using llvm::Twine;

static constexpr StringRef kName = "nnet3-align-loglikes";

static const char kUsage[] =
    "Computes what nnet3-align-compiled sees of an acoustic model: "
    "log-likelihoods of its\npdfs, without the priors and scaled. With "
    "alignments, it computes that of the pdf\naligned to each frame instead, "
    "not scaled.\n"
    "Usage: nnet3-align-loglikes [options] MODEL FEATURES-RSPECIFIER "
    "MATRIX-WSPECIFIER\n"
    "       nnet3-align-loglikes [options] MODEL FEATURES-RSPECIFIER\n"
    "         ALIGNMENTS-RSPECIFIER VECTOR-WSPECIFIER\n"
    "\n"
    "e.g.: nnet3-align-loglikes final.mdl scp:feats.scp ark:ali.1 "
    "ark:loglikes.ark\n";

namespace {
struct LoglikesOptions : NetworkProgramOptions, UtteranceOptions {
  LoglikesOptions() { compute.acousticScale = 0.1f; }

  std::string model, features, alignments, output;

  void registerOptions(OptionParser &parser) override;
  Error finish(ArrayRef<std::string> positional) override;
};

class Aligner {
public:
  Aligner(MLIRContext *context, const LoglikesOptions &options)
      : context(context), options(options) {}

  LogicalResult run();

private:
  using Alignment = std::vector<int32_t>;

  LogicalResult open(NetworkOp network);
  LogicalResult openAlignments(NetworkOp network);
  LogicalResult add(const Utterance &utterance);
  LogicalResult addAligned(StringRef key, const Matrix &output);
  LogicalResult close();

  LogicalResult check(Error error) {
    return emitFileError(context, std::move(error));
  }
  template <typename T> LogicalResult take(llvm::Expected<T> value, T &result) {
    if (!value)
      return check(value.takeError());
    result = std::move(*value);
    return success();
  }

  MLIRContext *context;
  const LoglikesOptions &options;
  NetworkComputer computer;
  /// Used with alignments.
  std::vector<TransitionId> ids;
  std::unique_ptr<RandomAccessTableReader<Alignment>> alignments;
  std::unique_ptr<VectorWriter> vectors;
  /// Used without alignments.
  std::unique_ptr<MatrixWriter> matrices;
  int64_t numDone = 0, numFailed = 0, numFrames = 0;
  double sum = 0;
};
} // namespace

void LoglikesOptions::registerOptions(OptionParser &parser) {
  ProgramOptions::registerOptions(parser);
  parser.beginGroup("Utterances");
  registerInputOptions(parser);
  parser.add("acoustic-scale", &compute.acousticScale,
             "Scaling factor of the matrices");
  registerRunnerOptions(parser);
}

Error LoglikesOptions::finish(ArrayRef<std::string> positional) {
  if (Error error = finishRunnerOptions())
    return error;
  if (Error error = finishUtteranceOptions())
    return error;
  if (positional.size() != 3 && positional.size() != 4)
    return expectArguments("MODEL, FEATURES, perhaps ALIGNMENTS, and a table "
                           "to write",
                           positional.size());
  model = positional[0];
  features = positional[1];
  output = positional.back();
  if (positional.size() == 4) {
    alignments = positional[2];
    // Kaldi's program removes the scale as well.
    compute.acousticScale = 1;
  }
  return Error::success();
}

LogicalResult Aligner::openAlignments(NetworkOp network) {
  auto packed = getByteData(network.getTransitionModelAttr());
  TransitionModel transitions;
  if (!packed)
    return network.emitError("the transition model has no bytes");
  if (failed(check(readPackedTransitionModel(*packed, transitions))) ||
      failed(take(getTransitionIds(transitions), ids)))
    return failure();
  return failure(
      failed(take(RandomAccessTableReader<Alignment>::open(
                      options.alignments, options.getTableOptions()),
                  alignments)) ||
      failed(take(VectorWriter::open(options.output, options.getTableOptions()),
                  vectors)));
}

LogicalResult Aligner::open(NetworkOp network) {
  setTestModes(network, /*batchnorm=*/true, /*random=*/true);
  if (failed(collapseModel(network)))
    return failure();
  UtteranceOptions wanted = options;
  // Without priors, nothing is subtracted.
  wanted.compute.usePriors = true;
  auto made =
      NetworkComputer::create(network, options.model, options.runner, wanted);
  if (failed(made))
    return failure();
  computer = std::move(*made);
  if (!options.alignments.empty())
    return openAlignments(network);
  return take(MatrixWriter::open(options.output, options.getTableOptions()),
              matrices);
}

/// Writes the log-likelihood of each frame's aligned pdf.
LogicalResult Aligner::addAligned(StringRef key, const Matrix &output) {
  const Alignment *alignment = nullptr;
  if (failed(take(alignments->find(key), alignment)))
    return failure();
  if (!alignment || int64_t(alignment->size()) != output.rows) {
    ++numFailed;
    printWarning(kName, alignment ? "utterance " + key + " has " +
                                        Twine(output.rows) +
                                        " frames of output, but an alignment "
                                        "of " +
                                        Twine(alignment->size())
                                  : "no alignment for utterance " + key);
    return success();
  }
  std::vector<float> likelihoods;
  for (auto [frame, id] : llvm::enumerate(*alignment)) {
    if (id < 1 || size_t(id) > ids.size())
      return check(makeFileError(
          options.alignments, "expects transition-ids from 1 to " +
                                  Twine(ids.size()) + ", but " +
                                  quoteForMessage(key) + " has " + Twine(id)));
    const int32_t pdf = ids[id - 1].pdf;
    if (pdf >= output.cols)
      return check(makeFileError(options.model,
                                 "transition-id " + Twine(id) + " has pdf " +
                                     Twine(pdf) + ", but the network has " +
                                     Twine(output.cols) + " outputs"));
    likelihoods.push_back(output(frame, pdf));
    sum += likelihoods.back();
  }
  numFrames += output.rows;
  ++numDone;
  return check(vectors->write(key, likelihoods));
}

LogicalResult Aligner::add(const Utterance &utterance) {
  auto output = computer.utterances->compute(utterance);
  if (failed(output))
    return failure();
  if (alignments)
    return addAligned(utterance.key, *output);
  ++numDone;
  return check(matrices->write(utterance.key, *output));
}

LogicalResult Aligner::close() {
  if (matrices)
    return check(matrices->close());
  if (failed(check(alignments->close())) || failed(check(vectors->close())))
    return failure();
  if (numFrames > 0)
    printLog(kName, "Overall log-likelihood per frame is " +
                        showNumber(sum / double(numFrames)) + " over " +
                        Twine(numFrames) + " frames");
  return success();
}

LogicalResult Aligner::run() {
  auto model = loadAcousticModel(options.model, context);
  if (failed(model) || failed(open(model->network)) ||
      failed(forEachUtterance(
          context, kName, options.features, options, options.getTableOptions(),
          [&](const Utterance &utterance) { return add(utterance); })) ||
      (numDone > 0 && failed(close())))
    return failure();
  printLog(kName, "Done " + Twine(numDone) + " utterances, failed for " +
                      Twine(numFailed));
  if (numDone == 0)
    return check(makeFileError(options.features, "no utterance was computed"));
  return success();
}

int mlir::nnet3::alignLoglikesMain(int argc, char **argv) {
  LoglikesOptions options;
  return runNetworkProgram(
      kUsage, argc, argv, options,
      [&](MLIRContext *context) { return Aligner(context, options).run(); });
}
