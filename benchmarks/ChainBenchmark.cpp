//===- ChainBenchmark.cpp - Chain objectives against the training step ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The denominator graph is random. Its number of arcs per state is typical of
// Kaldi's recipes.
//
//===----------------------------------------------------------------------===//

#include "support/Networks.h"

#include "nnet3/Execution/NnetRunner.h"
#include "nnet3/runtime/ChainSupervisor.h"
#include "nnet3/runtime/Trainer.h"

#include <benchmark/benchmark.h>
#include <chrono>
#include <random>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::benchmarks;
namespace rt = ::nnet3::rt;

static constexpr int32_t kNumSequences = 64, kNumFrames = 50;
static constexpr int32_t kNumStates = 3000, kArcsPerState = 16;
/// Alternative pdfs of the supervision at each frame.
static constexpr int32_t kNumAlternatives = 4;

/// Adds an arc of probability 1 / \p numArcs with a random pdf.
static void addArc(rt::ChainGraph &graph, int32_t target, int32_t numPdfs,
                   int32_t numArcs, std::mt19937 &random) {
  graph.arcs.push_back({target, int32_t(random() % uint32_t(numPdfs)),
                        std::log(float(numArcs))});
}

static void endState(rt::ChainGraph &graph, float finalCost) {
  graph.finalCosts.push_back(finalCost);
  graph.arcsBegin.push_back(int64_t(graph.arcs.size()));
}

static rt::ChainGraph makeDenominator(int32_t numPdfs) {
  std::mt19937 random(1);
  rt::ChainGraph graph;
  for (int32_t s = 0; s < kNumStates; ++s) {
    for (int32_t a = 0; a < kArcsPerState; ++a)
      addArc(graph, int32_t(random() % kNumStates), numPdfs, kArcsPerState,
             random);
    endState(graph, 0);
  }
  return graph;
}

static rt::ChainSupervision makeSupervision(int32_t numPdfs) {
  std::mt19937 random(2);
  const int32_t numTimes = kNumSequences * kNumFrames;
  rt::ChainSupervision supervision;
  supervision.numSequences = kNumSequences;
  supervision.framesPerSequence = kNumFrames;
  rt::ChainGraph &graph = supervision.graphs.emplace_back();
  for (int32_t t = 0; t <= numTimes; ++t)
    for (int32_t s = 0; s < (t == 0 ? 1 : kNumAlternatives); ++s) {
      for (int32_t next = 0; t < numTimes && next < kNumAlternatives; ++next)
        addArc(graph, t * kNumAlternatives + 1 + next, numPdfs,
               kNumAlternatives, random);
      endState(graph, t == numTimes ? 0 : INFINITY);
    }
  return supervision;
}

template <typename Fn> static double measure(double &best, Fn fn) {
  const auto start = std::chrono::steady_clock::now();
  fn();
  const double time =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  best = std::min(best, time);
  return time;
}

static std::vector<float> drawNumbers(size_t size) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> numbers(size);
  for (float &number : numbers)
    number = uniform(random);
  return numbers;
}

/// Reports the time of the objective and its derivatives. `share` divides it by
/// the time of the training step.
static void chain(benchmark::State &state) {
  Network network("tdnnf", /*trains=*/true);
  RequestOp request = network.makeRequest(kNumSequences, 3 * kNumFrames);
  auto runner = mlir::nnet3::NnetRunner::create(network.getOp());
  if (failed(runner))
    return state.SkipWithError("the network does not load");
  auto program = (*runner)->load(request);
  if (failed(program))
    return state.SkipWithError("does not compile");
  auto trainer = rt::Trainer::create(*program);
  if (!trainer.ok())
    return state.SkipWithError("no memory");

  std::vector<std::vector<float>> inputs;
  rt::Minibatch minibatch;
  for (const rt::IoInfo &info : (*program)->inputs())
    if (!info.isDerivative)
      minibatch.inputs.push_back(
          {info.name,
           rt::ConstMatrixView(
               inputs.emplace_back(drawNumbers(size_t(info.rows) * info.cols))
                   .data(),
               info.rows, info.cols, info.cols)});
  const rt::IoInfo &output = (*program)->outputs().front();
  auto graph =
      rt::DenominatorGraph::create(makeDenominator(output.cols), output.cols);
  if (!graph.ok())
    return state.SkipWithError(graph.status().message().c_str());
  rt::ChainTrainingOptions options;
  options.objective.leakyHmmCoefficient = 0.1f;
  const auto denominator =
      std::make_shared<const rt::DenominatorGraph>(std::move(*graph));
  const rt::ChainSupervision supervision = makeSupervision(output.cols);
  const rt::ChainSupervisor supervisor(
      denominator, options, {{std::string(output.name), supervision, {}}});
  minibatch.supervisor = &supervisor;

  const std::vector<float> values =
      drawNumbers(size_t(output.rows) * output.cols);
  std::vector<float> derivative(values.size());
  double objective = INFINITY, step = INFINITY;
  for (auto _ : state) {
    state.SetIterationTime(measure(objective, [&] {
      (void)rt::computeChainObjective(
          *denominator, supervision, options.objective,
          /*penalizesRange=*/false,
          {values.data(), output.rows, output.cols, output.cols},
          {derivative.data(), output.rows, output.cols, output.cols});
    }));
    measure(step, [&] {
      if (auto result = (*trainer)->train(*program, minibatch); !result.ok())
        llvm::report_fatal_error(llvm::StringRef(result.status().message()));
    });
  }
  state.counters["share"] = objective / step;
  state.counters["step_s"] = step;
}

static bool registered = [] {
  benchmark::RegisterBenchmark("chain/tdnnf/n:64/t:150/states:3000", chain)
      ->UseManualTime()
      ->Iterations(3)
      ->Unit(benchmark::kMillisecond);
  return true;
}();
