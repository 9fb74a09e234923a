//===- ShowProgressMain.cpp - Differences of two models in training -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ModelEvaluation.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Tools/Common/LoadedModel.h"
#include "nnet3/Tools/Common/NetworkProgram.h"
#include "nnet3/Tools/Train.h"
#include "nnet3/runtime/Trainer.h"

#include <cmath>

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;
using llvm::Error;

static constexpr StringRef kName = "nnet3-show-progress";

static const char kUsage[] =
    "Prints by how much the parameters of two models differ, for each "
    "component; with\nexamples also what the difference makes of the "
    "objective.\n"
    "Usage: nnet3-show-progress [options] OLD-MODEL NEW-MODEL "
    "[EGS-RSPECIFIER]\n"
    "\n"
    "e.g.: nnet3-show-progress 1.raw 2.raw ark:valid.egs\n";

namespace {
struct ShowProgressOptions : NetworkProgramOptions {
  ShowProgressOptions() { useGpu = "no"; }

  std::string oldModel, newModel;
  /// Empty means none.
  std::string examples;
  int32_t numSegments = 1;
  bool computeAccuracy = true;
  bool computePerDimAccuracy = false;

  void registerOptions(OptionParser &parser) override;
  Error finish(ArrayRef<std::string> positional) override;
};

class Progress {
public:
  Progress(MLIRContext *context, const ShowProgressOptions &options,
           LoadedModel &before, LoadedModel &after)
      : context(context), options(options), before(before), after(after) {}

  LogicalResult run();

private:
  using Program = std::shared_ptr<const rt::Program>;

  FailureOr<Program> prepare(const AnyExample &example, Location loc);
  FailureOr<std::unique_ptr<rt::Model>> interpolate(double position) const;
  FailureOr<std::unique_ptr<rt::Trainer>>
  computeGradient(const rt::Model &parameters);
  LogicalResult addSegment(int32_t segment, ArrayRef<int32_t> components,
                           MutableArrayRef<double> changes);
  LogicalResult printEffect(ArrayRef<int32_t> components);
  void printNorms(ArrayRef<int32_t> components) const;
  void print(StringRef what, ArrayRef<int32_t> components,
             llvm::function_ref<double(size_t)> value) const;

  MLIRContext *context;
  const ShowProgressOptions &options;
  LoadedModel &before, &after;
  /// The difference of the two models.
  std::unique_ptr<rt::Model> difference;
  rt::ChainTrainingOptions chain;
  std::vector<ExampleQueue::Entry> examples;
  std::optional<ExampleRequests> requests;
  llvm::StringMap<Program> programs;
};
} // namespace

void ShowProgressOptions::registerOptions(OptionParser &parser) {
  ProgramOptions::registerOptions(parser);
  parser.beginGroup("Objectives");
  parser.add("num-segments", &numSegments,
             "Compute gradients at so many points between the models");
  parser.add("compute-accuracy", &computeAccuracy,
             "Print how often the best column is that of the supervision");
  parser.add("compute-per-dim-accuracy", &computePerDimAccuracy,
             "Print that for each column of the last example's supervision");
  registerRunnerOptions(parser);
}

Error ShowProgressOptions::finish(ArrayRef<std::string> positional) {
  if (Error error = finishRunnerOptions())
    return error;
  if (Error error = expectAtLeast("num-segments", 1, numSegments))
    return error;
  if (positional.size() != 2 && positional.size() != 3)
    return optionError("expects two models, and at most one table of examples; "
                       "see --help");
  oldModel = positional[0];
  newModel = positional[1];
  if (positional.size() == 3)
    examples = positional[2];
  return Error::success();
}

/// Returns the model at fraction `position` of the way from the old to the new
/// one.
FailureOr<std::unique_ptr<rt::Model>>
Progress::interpolate(double position) const {
  auto model = before.copyParameters();
  if (succeeded(model)) {
    (*model)->scale(1 - position);
    (*model)->add(position, *after.parameters);
  }
  return model;
}

FailureOr<Progress::Program> Progress::prepare(const AnyExample &example,
                                               Location loc) {
  Program &known = programs[describeStructure(example)];
  if (known)
    return known;
  ExampleRequestOptions requestOptions;
  requestOptions.needModelDerivative = true;
  auto request = requests->createRequest(example, requestOptions, loc);
  if (failed(request))
    return failure();
  auto program = before.runner->load(**request);
  if (failed(program))
    return failure();
  known = *program;
  return known;
}

/// Returns a trainer that has accumulated the gradient of the objective of all
/// examples.
FailureOr<std::unique_ptr<rt::Trainer>>
Progress::computeGradient(const rt::Model &parameters) {
  rt::TrainerOptions trainerOptions;
  trainerOptions.gradientOnly = true;
  trainerOptions.storeComponentStats = false;
  trainerOptions.zeroComponentStats = false;
  trainerOptions.l2RegularizeFactor = 0;
  std::unique_ptr<rt::Trainer> trainer;
  for (const ExampleQueue::Entry &entry : examples) {
    Location loc =
        NameLoc::get(StringAttr::get(context, "example " + entry.key));
    auto program = prepare(entry.example, loc);
    auto minibatch = requests->createMinibatch(entry.example, loc);
    if (failed(program) || failed(minibatch))
      return failure();
    if (!trainer) {
      auto made = rt::Trainer::create(*program, trainerOptions);
      if (!made.ok())
        return emitError(loc) << made.status().message();
      trainer = std::move(*made);
      trainer->model().setZero();
      trainer->model().add(1, parameters);
    }
    auto step = trainer->train(*program, (*minibatch)->get());
    if (!step.ok())
      return emitError(loc) << step.status().message();
  }
  return trainer;
}

/// Adds the changes of the objective over a segment, estimated from the
/// gradient in the middle of the segment.
LogicalResult Progress::addSegment(int32_t segment,
                                   ArrayRef<int32_t> components,
                                   MutableArrayRef<double> changes) {
  const double position = (segment + 0.5) / options.numSegments;
  auto parameters = interpolate(position);
  if (failed(parameters))
    return failure();
  auto trainer = computeGradient(**parameters);
  if (failed(trainer))
    return failure();
  ExampleEvaluator::Options evaluatorOptions;
  evaluatorOptions.accuracy =
      options.computeAccuracy || options.computePerDimAccuracy;
  ExampleEvaluator evaluator(*before.runner, parameters->get(), chain,
                             evaluatorOptions);
  Probabilities sums;
  for (const ExampleQueue::Entry &entry : examples)
    if (failed(evaluator.add(entry, sums)))
      return failure();
  if (!sums.print(kName, options.computePerDimAccuracy))
    return emitError(before.network.getLoc())
           << "the examples have no supervision";
  const auto [value, weight] = sums.getTotal();
  printLog(kName, "At position " + showNumber(position) +
                      ", objf per frame is " + showNumber(value / weight));
  for (size_t i = 0; i < components.size(); ++i)
    changes[i] += difference->dotProduct(components[i], (*trainer)->delta()) /
                  weight / options.numSegments;
  return success();
}

LogicalResult Progress::printEffect(ArrayRef<int32_t> components) {
  auto read =
      readAllExamples(context, options.examples, options.getTableOptions());
  if (failed(read))
    return failure();
  examples = std::move(*read);
  requests.emplace(*before.runner, chain);
  std::vector<double> changes(components.size());
  for (int32_t segment = 0; segment < options.numSegments; ++segment)
    if (failed(addSegment(segment, components, changes)))
      return failure();
  print("Total objf change per component is", components,
        [&](size_t i) { return changes[i]; });
  return success();
}

void Progress::print(StringRef what, ArrayRef<int32_t> components,
                     llvm::function_ref<double(size_t)> value) const {
  std::string text = what.str() + " [ ";
  for (size_t i = 0; i < components.size(); ++i)
    text += std::string(difference->componentName(components[i])) + ":" +
            showNumber(value(i)) + " ";
  printLog(kName, text + "]");
}

void Progress::printNorms(ArrayRef<int32_t> components) const {
  auto getNorm = [](const rt::Model &model, int32_t index) {
    return std::sqrt(model.dotProduct(index, model));
  };
  print("Parameter differences per layer are", components,
        [&](size_t i) { return getNorm(*difference, components[i]); });
  print("Norms of parameter matrices from <new-nnet-in> are", components,
        [&](size_t i) { return getNorm(*after.parameters, components[i]); });
  print("Relative parameter differences per layer are", components,
        [&](size_t i) {
          return getNorm(*difference, components[i]) /
                 getNorm(*before.parameters, components[i]);
        });
}

LogicalResult Progress::run() {
  auto copy = after.copyParameters();
  if (failed(copy))
    return failure();
  difference = std::move(*copy);
  difference->add(-1, *before.parameters);
  std::vector<int32_t> components;
  for (int32_t i = 0; i < difference->numComponents(); ++i)
    if (difference->isUpdatable(i))
      components.push_back(i);
  if (!options.examples.empty() && failed(printEffect(components)))
    return failure();
  printNorms(components);
  return success();
}

static LogicalResult showProgress(MLIRContext *context,
                                  const ShowProgressOptions &options) {
  auto before = LoadedModel::load(options.oldModel, context, options.runner);
  if (failed(before))
    return failure();
  auto after = LoadedModel::load(options.newModel, context, options.runner);
  if (failed(after))
    return failure();
  // Training may change the network's structure between two models.
  if (!before->parameters->checkModel(*after->parameters).ok()) {
    printWarning(kName, "the models have different components");
    return success();
  }
  return Progress(context, options, *before, *after).run();
}

int mlir::nnet3::showProgressMain(int argc, char **argv) {
  ShowProgressOptions options;
  return runNetworkProgram(
      kUsage, argc, argv, options,
      [&](MLIRContext *context) { return showProgress(context, options); });
}
