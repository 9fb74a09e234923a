//===- TrainBenchmark.cpp - Time of a minibatch against the GEMM probe ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/GemmProbe.h"
#include "support/Networks.h"

#include "nnet3/Execution/NnetRunner.h"
#include "nnet3/runtime/Model.h"
#include "nnet3/runtime/Trainer.h"

#include <benchmark/benchmark.h>
#include <ctime>
#include <random>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::benchmarks;
namespace rt = ::nnet3::rt;

/// Processor time of this thread: a minibatch takes long enough that others on
/// the machine would otherwise be measured with it.
static double threadSeconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

namespace {

/// The shortest of the times of one thing.
class BestTime {
public:
  template <typename Fn> double measure(Fn fn) {
    const double start = threadSeconds();
    fn();
    const double time = threadSeconds() - start;
    best = std::min(best, time);
    return time;
  }
  double operator/(const BestTime &other) const { return best / other.best; }

private:
  double best = std::numeric_limits<double>::infinity();
};

/// Random numbers for everything that a program takes.
class Inputs {
public:
  explicit Inputs(const rt::Program &program) {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> uniform(-1, 1);
    for (const rt::IoInfo &info : program.inputs()) {
      std::vector<float> &data = values.emplace_back(
          size_t(info.rows) * static_cast<size_t>(info.cols));
      for (float &value : data)
        value = uniform(random);
      const rt::ConstMatrixView view(data.data(), info.rows, info.cols,
                                     info.cols);
      all.push_back({info.name, view});
      if (info.isDerivative)
        minibatch.supervision.push_back({info.name, view});
      else
        minibatch.inputs.push_back({info.name, view});
    }
  }

  /// Forward and backward.
  void run(rt::Instance &instance) const {
    for (const rt::NamedMatrix &input : all)
      (void)instance.setInput(input.name, input.value);
    for (int part = 0; part < 2; ++part)
      if (rt::Status status = instance.run(); !status.ok())
        llvm::report_fatal_error(llvm::StringRef(status.message()));
  }
  const rt::Minibatch &get() const { return minibatch; }

private:
  std::vector<std::vector<float>> values;
  std::vector<rt::NamedMatrix> all;
  rt::Minibatch minibatch;
};

/// What is measured of one program.
class Training {
public:
  static std::unique_ptr<Training>
  create(const mlir::nnet3::NnetRunner &runner,
         std::shared_ptr<const rt::Program> program, Location loc);

  const Inputs inputs;
  /// Without update; derivatives of the parameters added to a gradient.
  std::unique_ptr<rt::Instance> plain, withGradient;
  /// The whole step, with natural gradient.
  std::unique_ptr<rt::Trainer> trainer;

private:
  explicit Training(const rt::Program &program) : inputs(program) {}
  std::unique_ptr<rt::Model> model, gradient;
};

} // namespace

std::unique_ptr<Training>
Training::create(const mlir::nnet3::NnetRunner &runner,
                 std::shared_ptr<const rt::Program> program, Location loc) {
  std::unique_ptr<Training> training(new Training(*program));
  auto model = rt::Model::create(program);
  auto gradient = rt::Model::create(program);
  auto trainer = rt::Trainer::create(program);
  if (!model.ok() || !gradient.ok() || !trainer.ok())
    return nullptr;
  training->model = std::move(*model);
  training->gradient = std::move(*gradient);
  training->gradient->setZero();
  training->gradient->setAsGradient();
  training->trainer = std::move(*trainer);
  rt::InstanceOptions options;
  auto plain = runner.instantiate(program, loc, options);
  options.model = training->model.get();
  options.gradient = training->gradient.get();
  auto withGradient = runner.instantiate(program, loc, options);
  if (failed(plain) || failed(withGradient))
    return nullptr;
  training->plain = std::move(*plain);
  training->withGradient = std::move(*withGradient);
  return training;
}

/// The time reported is that without update.
static void train(benchmark::State &state, StringRef name) {
  Network network(name, /*trains=*/true);
  RequestOp request = network.makeRequest(/*sequences=*/8, /*frames=*/150);
  ComputationOp computation = network.compile(request);
  GemmProbe derivProbe(computation, ProbedProducts::InputGradients);
  GemmProbe fullProbe(computation, ProbedProducts::WeightGradients);
  auto runner = mlir::nnet3::NnetRunner::create(network.getOp());
  if (failed(runner))
    return state.SkipWithError("the network does not load");
  auto program = (*runner)->load(request);
  if (failed(program))
    return state.SkipWithError("does not compile");
  auto training = Training::create(**runner, *program, request.getLoc());
  if (!training)
    return state.SkipWithError("no memory");

  BestTime plain, withGradient, step, probe, probeWithGradient;
  for (auto _ : state) {
    state.SetIterationTime(
        plain.measure([&] { training->inputs.run(*training->plain); }));
    probe.measure([&] { derivProbe.run(); });
    withGradient.measure(
        [&] { training->inputs.run(*training->withGradient); });
    probeWithGradient.measure([&] { fullProbe.run(); });
    step.measure([&] {
      (void)training->trainer->train(*program, training->inputs.get());
    });
  }
  state.counters["vs_gemm"] = plain / probe;
  state.counters["gradient"] = withGradient / probeWithGradient;
  state.counters["natural"] = step / probeWithGradient;
}

static bool registerAll() {
  for (StringRef name : {"tdnn", "tdnnf", "lstmp"})
    benchmark::RegisterBenchmark(("train/" + name + "/n:8/t:150").str().c_str(),
                                 [=](auto &state) { train(state, name); })
        ->UseManualTime()
        ->Iterations(6)
        ->Unit(benchmark::kMillisecond);
  return true;
}

static bool registered = registerAll();
