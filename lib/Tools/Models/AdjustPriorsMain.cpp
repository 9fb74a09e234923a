//===- AdjustPriorsMain.cpp - Priors from a mean posterior ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Kaldi/IO/Input.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/TensorData.h"
#include "nnet3/Tools/Common/ModelFiles.h"
#include "nnet3/Tools/Common/NetworkProgram.h"
#include "nnet3/Tools/Models.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <numeric>

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;
using llvm::Error;

static constexpr StringRef kName = "nnet3-am-adjust-priors";

static const char kUsage[] =
    "Sets the priors of an acoustic model from a vector, such as the mean of "
    "the network's\nposteriors over training data.\n"
    "Usage: nnet3-am-adjust-priors [options] MODEL VECTOR ADJUSTED-MODEL\n"
    "\n"
    "e.g.: nnet3-am-adjust-priors final.mdl mean_posterior.vec adjusted.mdl\n";

namespace {
struct AdjustPriorsOptions : ProgramOptions {
  std::string model, vector, adjustedModel;
  bool binary = true;
  float priorFloor = 1e-15f;

  void registerOptions(OptionParser &parser) override;
  Error finish(ArrayRef<std::string> positional) override;
};
} // namespace

void AdjustPriorsOptions::registerOptions(OptionParser &parser) {
  ProgramOptions::registerOptions(parser);
  parser.add("binary", &binary, "Write the model in binary");
  parser.add("prior-floor", &priorFloor, "The smallest prior");
}

Error AdjustPriorsOptions::finish(ArrayRef<std::string> positional) {
  if (!(priorFloor >= 0 && priorFloor <= 1))
    return optionError("option '--prior-floor' expects a number from 0 to 1, "
                       "but got " +
                       showNumber(priorFloor));
  if (positional.size() != 3)
    return optionError("expects a model, a vector and a model to write, but "
                       "got " +
                       Twine(positional.size()) + " arguments; see --help");
  model = positional[0];
  vector = positional[1];
  adjustedModel = positional[2];
  return Error::success();
}

/// Reads the vector from the file and divides it by its sum.
static llvm::Expected<std::vector<float>>
readPriors(const AdjustPriorsOptions &options) {
  auto priors = readVectorFile(options.vector);
  if (!priors)
    return priors.takeError();
  for (float value : *priors)
    if (!(value >= 0) || !std::isfinite(value))
      return makeFileError(options.vector, "expects numbers of at least 0, but "
                                           "got " +
                                               showNumber(value));
  const double sum = std::accumulate(priors->begin(), priors->end(), 0.0);
  if (sum == 0)
    return makeFileError(options.vector, "expects numbers that are not all 0");
  for (float &value : *priors)
    value = std::max<float>(value / sum, options.priorFloor);
  return priors;
}

/// Prints how much the priors change.
static void printChange(ArrayRef<float> before, ArrayRef<float> after) {
  size_t largest = 0;
  double divergence = 0;
  for (size_t pdf = 0; pdf < before.size(); ++pdf) {
    if (std::abs(after[pdf] - before[pdf]) >
        std::abs(after[largest] - before[largest]))
      largest = pdf;
    if (before[pdf] > 0)
      divergence += before[pdf] * std::log(before[pdf] / after[pdf]);
  }
  printLog(kName, "Adjusting priors: largest absolute change was for pdf " +
                      Twine(largest) + ": from " + showNumber(before[largest]) +
                      " to " + showNumber(after[largest]));
  printLog(kName, "Adjusting priors: K-L divergence from old to new is " +
                      showNumber(divergence));
}

static LogicalResult adjust(MLIRContext *context,
                            const AdjustPriorsOptions &options) {
  auto model = loadAcousticModel(options.model, context);
  if (failed(model))
    return failure();
  NetworkOp network = model->network;
  auto priors = readPriors(options);
  if (!priors)
    return emitFileError(context, priors.takeError());
  if (ElementsAttr before = network.getPriorsAttr()) {
    if (before.getNumElements() != int64_t(priors->size()))
      return emitFileError(
          context, makeFileError(options.vector,
                                 "expects " + Twine(before.getNumElements()) +
                                     " numbers, one for each prior, but got " +
                                     Twine(priors->size())));
    std::vector<float> storage;
    auto values = getTensorData(before, storage);
    if (!values)
      return emitError(network.getLoc()) << "the priors have no values";
    printChange(*values, *priors);
  }
  TensorStorage storage;
  llvm::copy(*priors, storage.allocate(int64_t(priors->size())));
  network.setPriorsAttr(storage.take(context, "priors"));
  return writeAcousticFile(options.adjustedModel, network, options.binary);
}

int mlir::nnet3::adjustPriorsMain(int argc, char **argv) {
  AdjustPriorsOptions options;
  return runNetworkProgram(
      kUsage, argc, argv, options,
      [&](MLIRContext *context) { return adjust(context, options); });
}
