//===- AverageMain.cpp - Averaging models ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Tools/Common/LoadedModel.h"
#include "nnet3/Tools/Common/NetworkProgram.h"
#include "nnet3/Tools/Models.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cmath>
#include <numeric>

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;
using llvm::Error;

static constexpr StringRef kName = "nnet3-average";

static const char kUsage[] =
    "Averages the parameters and statistics of models of the same network.\n"
    "Usage: nnet3-average [options] MODEL1 [MODEL2 ...] AVERAGED-MODEL\n"
    "\n"
    "All else is that of the first model. AVERAGED-MODEL is a raw model.\n"
    "e.g.: nnet3-average --weights=1:1:2 1.raw 2.raw 3.raw average.raw\n";

namespace {
struct AverageOptions : ProgramOptions {
  std::vector<std::string> models;
  std::string averagedModel;
  /// Sum up to 1.
  std::vector<double> weights;
  bool binary = true;

  void registerOptions(OptionParser &parser) override;
  Error finish(ArrayRef<std::string> positional) override;

private:
  Error parseWeights();

  std::string weightText;
};
} // namespace

void AverageOptions::registerOptions(OptionParser &parser) {
  ProgramOptions::registerOptions(parser);
  parser.add("binary", &binary, "Write the model in binary");
  parser.add("weights", &weightText,
             "A weight for each model, e.g. 1:1:2; they are divided by their "
             "sum. Without, all weights are equal");
  parser.beginGroup("Compatibility");
  parser.addIgnoredInt("num-threads", "Accepted for compatibility");
}

Error AverageOptions::parseWeights() {
  if (weightText.empty()) {
    weights.assign(models.size(), 1.0 / models.size());
    return Error::success();
  }
  SmallVector<StringRef> words;
  StringRef(weightText).split(words, ':');
  for (StringRef word : words)
    if (word.getAsDouble(weights.emplace_back()) ||
        !std::isfinite(weights.back()))
      return optionError("option '--weights' expects numbers like 1:1:2, but "
                         "got " +
                         quoteForMessage(weightText));
  if (weights.size() != models.size())
    return optionError("option '--weights' expects a weight for each of " +
                       Twine(models.size()) + " models, but got " +
                       Twine(weights.size()));
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (sum == 0)
    return optionError("option '--weights' expects weights whose sum is not 0");
  if (std::abs(sum - 1) > 0.01)
    printWarning(kName, "the weights add up to " + showNumber(sum) +
                            "; they are divided by that");
  for (double &weight : weights)
    weight /= sum;
  return Error::success();
}

Error AverageOptions::finish(ArrayRef<std::string> positional) {
  if (positional.size() < 2)
    return optionError("expects one or more models and a model to write; see "
                       "--help");
  models = positional.drop_back().vec();
  averagedModel = positional.back();
  return parseWeights();
}

static LogicalResult average(MLIRContext *context,
                             const AverageOptions &options) {
  auto sum = LoadedModel::load(options.models.front(), context);
  if (failed(sum))
    return failure();
  sum->parameters->scale(options.weights.front());
  for (auto [path, weight] :
       llvm::drop_begin(llvm::zip_equal(options.models, options.weights))) {
    auto model = LoadedModel::load(path, context);
    if (failed(model) || failed(model->checkIsLike(*sum, path)))
      return failure();
    sum->parameters->add(weight, *model->parameters);
  }
  if (failed(writeRawModel(options.averagedModel, sum->network,
                           *sum->parameters, options.binary)))
    return failure();
  printLog(kName, "Averaged parameters of " + Twine(options.models.size()) +
                      " neural nets, and wrote to " + options.averagedModel);
  return success();
}

int mlir::nnet3::averageMain(int argc, char **argv) {
  AverageOptions options;
  return runNetworkProgram(
      kUsage, argc, argv, options,
      [&](MLIRContext *context) { return average(context, options); });
}
