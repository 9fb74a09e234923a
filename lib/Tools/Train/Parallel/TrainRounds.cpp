//===- TrainRounds.cpp - Training by several processes --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ObjectiveSum.h"
#include "StopSignal.h"
#include "TrainRun.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Tools/Common/Program.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

void TrainRun::printTraffic() const {
  const ProcessGroup::Traffic traffic = group->getTraffic();
  printLog(kName, "Process 0 of " + Twine(group->getNumProcesses()) +
                      " has summed " + Twine(traffic.bytes) + " bytes in " +
                      Twine(traffic.sums) + " sums, " +
                      Twine(traffic.largeSums) + " of them large, and waited " +
                      showNumber(traffic.seconds, /*digits=*/3) +
                      " seconds for them");
}

/// Fails unless all processes go on from the same checkpoint. Waits until all
/// of them have read it, because process 0 replaces or removes it later.
LogicalResult TrainRun::checkPositions() {
  if (!group)
    return success();
  const std::vector<std::string> positions =
      group->gather(std::to_string(numExamples));
  for (auto [number, position] : llvm::enumerate(positions))
    if (position != positions.front())
      return check(makeFileError(
          options.checkpoint,
          "expects the same checkpoint in all processes, but process 0 goes on "
          "after " +
              positions.front() + " minibatches and process " + Twine(number) +
              " after " + position));
  return success();
}

/// Returns true if any process has been asked to stop.
bool TrainRun::stopsEverywhere() const {
  double stops = isStopRequested();
  if (group) {
    group->setAlone(false);
    group->sum(&stops, 1);
  }
  return stops > 0;
}

/// Returns the share of this process in a minibatch; none for the whole
/// minibatch. If there are fewer sequences than processes, all processes train
/// on the whole minibatch.
FailureOr<std::optional<AnyExample>>
TrainRun::takeShare(const AnyExample &example, Location loc) {
  const auto whole = std::optional<AnyExample>();
  if (!group || options.averagingInterval > 0)
    return whole;
  const int64_t numSequences = getNumSequences(example),
                number = group->getNumber(), all = group->getNumProcesses();
  group->setAlone(numSequences < all);
  if (numSequences < all)
    return whole;
  const int64_t first = numSequences * number / all,
                end = numSequences * (number + 1) / all;
  auto part = takeSequences(example, int32_t(first), int32_t(end - first));
  if (!part)
    return emitError(loc) << llvm::toString(part.takeError());
  return std::optional<AnyExample>(std::move(*part));
}

//===----------------------------------------------------------------------===//
// Averages of models
//===----------------------------------------------------------------------===//

/// Formats the objectives of steps, one line per output.
static std::string describeSteps(ArrayRef<rt::TrainingStep> steps) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (auto [number, step] : llvm::enumerate(steps)) {
    os << number << " " << step.refused << "\n";
    for (const rt::OutputObjective &output : step.objectives)
      os << number << " " << output.name << " "
         << llvm::format("%a %a %a\n", output.objective.value,
                         output.objective.weight, output.auxiliary);
  }
  return text;
}

static double parseNumber(StringRef word) {
  return std::strtod(word.str().c_str(), nullptr);
}

/// Adds the objectives in the text of another process.
static void addSteps(StringRef text, SmallVectorImpl<rt::TrainingStep> &steps) {
  SmallVector<StringRef> lines, words;
  llvm::SplitString(text, lines, "\n");
  for (StringRef line : lines) {
    words.clear();
    llvm::SplitString(line, words, " ");
    size_t number = 0;
    words[0].getAsInteger(10, number);
    if (number >= steps.size())
      steps.resize(number + 1);
    rt::TrainingStep &step = steps[number];
    if (words.size() == 2) {
      step.refused |= words[1] == "1";
      continue;
    }
    const rt::OutputObjective output = {
        words[1].str(),
        {parseNumber(words[2]), parseNumber(words[3])},
        parseNumber(words[4])};
    auto sum = llvm::find_if(step.objectives, [&](const auto &other) {
      return other.name == output.name;
    });
    if (sum == step.objectives.end())
      step.objectives.push_back(output);
    else
      addTo(*sum, output);
  }
}

/// Averages the models, weighted by the number of steps of each process in the
/// round.
LogicalResult TrainRun::averageRound(ArrayRef<rt::TrainingStep> steps,
                                     std::optional<double> fraction) {
  double all = steps.size();
  group->sum(&all, 1);
  if (all == 0)
    return success();
  rt::Status status = trainer.average(*group, double(steps.size()) / all);
  if (!status.ok())
    return emitError(network.getLoc()) << status.message();
  SmallVector<rt::TrainingStep> sums;
  for (const std::string &text : group->gather(describeSteps(steps)))
    addSteps(text, sums);
  if (failed(findNames()))
    return failure();
  for (const rt::TrainingStep &sum : sums)
    report(sum, fraction);
  return success();
}

/// Trains one round: `averagingInterval` examples per process. `latest` becomes
/// the last example; none if the table has no more.
LogicalResult TrainRun::trainRound(ExampleQueue &queue,
                                   std::optional<ExampleQueue::Entry> &latest) {
  const int64_t all = group->getNumProcesses();
  const int64_t most = all * options.averagingInterval;
  SmallVector<rt::TrainingStep> steps;
  latest.reset();
  for (int64_t i = 0; i < most; ++i) {
    auto entry = queue.next();
    if (!entry)
      return check(entry.takeError());
    if (!*entry)
      break;
    latest = std::move(*entry);
    ++numExamples;
    if (i % all != group->getNumber())
      continue;
    auto done = step(latest->key, latest->example);
    if (failed(done))
      return failure();
    steps.push_back(std::move(*done));
  }
  // Processes without an example of their own take part in the average, too.
  if (latest && programs.empty() &&
      failed(prepare(latest->example, network.getLoc())))
    return failure();
  return averageRound(steps, latest ? latest->fraction : std::nullopt);
}

LogicalResult TrainRun::trainRounds(ExampleQueue &queue) {
  std::optional<ExampleQueue::Entry> latest;
  while (true) {
    const int64_t numBefore = log.getNumMinibatches();
    if (failed(trainRound(queue, latest)))
      return failure();
    if (!latest)
      return success();
    if (failed(finishMinibatches(*latest, numBefore)))
      return failure();
  }
}
