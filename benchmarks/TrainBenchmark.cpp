//===- TrainBenchmark.cpp - Time of a minibatch against the peak ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/GemmProbe.h"
#include "support/Networks.h"
#include "support/PeakProbe.h"

#include "nnet3/Execution/CpuTrainer.h"
#include "nnet3/Execution/NativeStep.h"
#include "nnet3/Execution/NativeTrainer.h"
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

/// Returns the processor time of this thread. Wall time would include other
/// processes: a minibatch takes long enough to be interrupted.
static double threadSeconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

/// Returns wall time, for measurements of several threads.
static double wallSeconds() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

/// In the first kFirstSteps steps natural gradient always updates its estimate;
/// later it does so every kPeriod steps.
static constexpr int kFirstSteps = 10, kPeriod = 4;

namespace {

/// The least and the total of repeated measurements.
class RepeatedTime {
public:
  using Clock = double (*)();
  explicit RepeatedTime(Clock clock = threadSeconds) : clock(clock) {}

  template <typename Fn> void measure(Fn fn) {
    const double start = clock();
    fn();
    const double time = clock() - start;
    best = std::min(best, time);
    total += time;
  }
  double getBest() const { return best; }
  double getTotal() const { return total; }

private:
  Clock clock;
  double best = std::numeric_limits<double>::infinity(), total = 0;
};

/// Random values for all inputs of a program.
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

  /// Runs the forward and the backward pass.
  void run(rt::StepInstance &instance) const {
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

/// A model, and the gradient that accumulates over the steps.
struct Models {
  std::unique_ptr<rt::Model> model, gradient;

  bool create(const std::shared_ptr<const rt::Program> &program) {
    auto first = rt::Model::create(program),
         second = rt::Model::create(program);
    if (!first.ok() || !second.ok())
      return false;
    model = std::move(*first);
    gradient = std::move(*second);
    gradient->setZero();
    gradient->setAsGradient();
    return true;
  }
  rt::InstanceOptions getOptions() const {
    rt::InstanceOptions options;
    options.model = model.get();
    options.gradient = gradient.get();
    return options;
  }
  /// Options for both passes alone: parameter derivatives stay in the memory of
  /// the code.
  rt::InstanceOptions getPassOptions() const {
    rt::InstanceOptions options;
    options.model = model.get();
    return options;
  }
};

/// Whole steps of training on one minibatch.
struct Steps {
  void run(const rt::Minibatch &minibatch) const {
    if (auto done = trainer->train(program, minibatch); !done.ok())
      llvm::report_fatal_error(llvm::StringRef(done.status().message()));
  }

  std::unique_ptr<RequestTrainer> trainer;
  std::shared_ptr<const rt::Program> program;
};

/// The programs of one request that are measured.
class Training {
public:
  static std::unique_ptr<Training> create(mlir::nnet3::NnetRunner &runner,
                                          RequestOp request);

  std::unique_ptr<Inputs> inputs;
  /// Both passes; the interpreter adds the parameter derivatives to a gradient,
  /// and machine code leaves them in its memory.
  std::unique_ptr<rt::StepInstance> interpreted, native;
  /// By the interpreter and by machine code.
  Steps interpretedSteps, nativeSteps;
  double compileSeconds = 0;

private:
  Models models;
};

} // namespace

/// Returns steps by machine code; none if it does not compile.
static FailureOr<Steps> createNativeSteps(mlir::nnet3::NnetRunner &runner,
                                          RequestOp request,
                                          int32_t threads = 1) {
  NativeTrainingOptions native;
  native.numThreads = threads;
  auto trainer = NativeTrainer::create(runner, {}, native);
  if (failed(trainer))
    return failure();
  auto program = (*trainer)->prepare(request);
  if (failed(program))
    return failure();
  return Steps{std::move(*trainer), std::move(*program)};
}

std::unique_ptr<Training> Training::create(mlir::nnet3::NnetRunner &runner,
                                           RequestOp request) {
  auto training = std::make_unique<Training>();
  auto program = runner.load(request);
  auto interpretedSteps = CpuTrainer::create(runner, {});
  if (failed(program) || failed(interpretedSteps))
    return nullptr;
  training->inputs = std::make_unique<Inputs>(**program);
  if (!training->models.create(*program))
    return nullptr;
  const rt::InstanceOptions options = training->models.getOptions();
  auto interpreted = rt::interpretSteps(*program, options);
  const double start = threadSeconds();
  auto code = compileStep(runner.getNetwork(), request, TrainingCode());
  training->compileSeconds = threadSeconds() - start;
  if (failed(code) || !interpreted.ok())
    return nullptr;
  auto native = rt::CompiledSteps::create(*code, *program,
                                          training->models.getPassOptions());
  auto nativeSteps = createNativeSteps(runner, request);
  if (!native.ok() || failed(nativeSteps))
    return nullptr;
  training->interpreted = std::move(*interpreted);
  training->native = std::move(*native);
  training->interpretedSteps = {std::move(*interpretedSteps), *program};
  training->nativeSteps = std::move(*nativeSteps);
  return training;
}

/// Reports the time of machine code without update. `of_peak` is the rate of
/// the matmuls of both passes relative to the peak rate of multiply-adds,
/// `interpreter_of_peak` the same for the interpreter. `natural` is the time of
/// whole steps relative to the time without update, and `natural_vs_plain`
/// relative to whole steps without natural gradient. All are measured in turn
/// after the first steps, over one period of the natural gradient's updates of
/// its estimate.
static void train(benchmark::State &state, StringRef name) {
  Network network(name, /*trains=*/true);
  RequestOp request = network.makeRequest(/*sequences=*/8, /*frames=*/150);
  GemmProbe products(network.compile(request), ProbedMatmuls::WeightGradients);
  auto runner = mlir::nnet3::NnetRunner::create(network.getOp());
  if (failed(runner))
    return state.SkipWithError("the network does not load");
  auto training = Training::create(**runner, request);
  Network plainNetwork(name, /*trains=*/true, /*naturalGradient=*/false);
  auto plainRunner = mlir::nnet3::NnetRunner::create(plainNetwork.getOp());
  if (!training || failed(plainRunner))
    return state.SkipWithError("does not compile");
  auto plain =
      createNativeSteps(**plainRunner, plainNetwork.makeRequest(8, 150));
  if (failed(plain))
    return state.SkipWithError("does not compile");

  const rt::Minibatch &minibatch = training->inputs->get();
  for (const Steps *steps :
       {&training->nativeSteps, &training->interpretedSteps, &*plain})
    for (int i = 0; i < kFirstSteps; ++i)
      steps->run(minibatch);

  RepeatedTime native, interpreted, nativeSteps, interpretedSteps, plainSteps,
      probe;
  double peak = 0;
  for (auto _ : state) {
    peak = std::max(peak, measurePeak());
    for (int i = 0; i < kPeriod; ++i) {
      plainSteps.measure([&] { plain->run(minibatch); });
      native.measure([&] { training->inputs->run(*training->native); });
      nativeSteps.measure([&] { training->nativeSteps.run(minibatch); });
      interpreted.measure(
          [&] { training->inputs->run(*training->interpreted); });
      interpretedSteps.measure(
          [&] { training->interpretedSteps.run(minibatch); });
    }
    state.SetIterationTime(native.getBest());
    probe.measure([&] { products.run(); });
  }
  const double flops = products.getFlops();
  state.counters["of_peak"] = flops / native.getBest() / peak;
  state.counters["interpreter_of_peak"] = flops / interpreted.getBest() / peak;
  state.counters["gemm_of_peak"] = flops / probe.getBest() / peak;
  state.counters["vs_interpreter"] = interpreted.getTotal() / native.getTotal();
  state.counters["natural"] = nativeSteps.getTotal() / native.getTotal();
  state.counters["natural_vs_plain"] =
      nativeSteps.getTotal() / plainSteps.getTotal();
  state.counters["interpreter_natural"] =
      interpretedSteps.getTotal() / interpreted.getTotal();
  state.counters["step_vs_interpreter"] =
      interpretedSteps.getTotal() / nativeSteps.getTotal();
  state.counters["compile_s"] = training->compileSeconds;
}

namespace {

/// The code for a number of threads, and a trainer that uses it.
class ThreadedTraining {
public:
  static std::unique_ptr<ThreadedTraining>
  create(mlir::nnet3::NnetRunner &runner, RequestOp request, int32_t threads);

  void run(const Inputs &inputs) const { inputs.run(*instance); }
  void step(const Inputs &inputs) const { steps.run(inputs.get()); }

private:
  Models models;
  std::unique_ptr<rt::StepInstance> instance;
  Steps steps;
};

} // namespace

std::unique_ptr<ThreadedTraining>
ThreadedTraining::create(mlir::nnet3::NnetRunner &runner, RequestOp request,
                         int32_t threads) {
  auto training = std::make_unique<ThreadedTraining>();
  auto program = runner.load(request);
  if (failed(program) || !training->models.create(*program))
    return nullptr;
  auto code = compileStep(runner.getNetwork(), request,
                          {/*updates=*/false, {}, threads});
  if (failed(code))
    return nullptr;
  auto instance = rt::CompiledSteps::create(*code, *program,
                                            training->models.getPassOptions());
  auto steps = createNativeSteps(runner, request, threads);
  if (!instance.ok() || failed(steps))
    return nullptr;
  training->instance = std::move(*instance);
  training->steps = std::move(*steps);
  return training;
}

/// Reports the speed-up of two threads over one, measured in turn:
/// `both_passes` without update, `step` for whole steps with natural gradient.
/// Both compare the least times. The times of steps are summed over one period
/// of the updates of natural gradient's estimates.
static void trainWithThreads(benchmark::State &state, StringRef name) {
  Network network(name, /*trains=*/true);
  RequestOp request = network.makeRequest(/*sequences=*/8, /*frames=*/150);
  auto runner = mlir::nnet3::NnetRunner::create(network.getOp());
  if (failed(runner))
    return state.SkipWithError("the network does not load");
  auto one = ThreadedTraining::create(**runner, request, 1);
  auto two = ThreadedTraining::create(**runner, request, 2);
  auto program = (*runner)->load(request);
  if (!one || !two || failed(program))
    return state.SkipWithError("does not compile");
  const Inputs inputs(**program);
  for (int i = 0; i < kFirstSteps; ++i)
    for (const auto *training : {&*one, &*two})
      training->step(inputs);
  RepeatedTime passes1(wallSeconds), passes2(wallSeconds);
  std::vector<RepeatedTime> steps1(kPeriod, RepeatedTime(wallSeconds)),
      steps2 = steps1;
  for (auto _ : state) {
    for (int i = 0; i < kPeriod; ++i) {
      passes1.measure([&] { one->run(inputs); });
      passes2.measure([&] { two->run(inputs); });
    }
    for (RepeatedTime &time : steps1)
      time.measure([&] { one->step(inputs); });
    for (RepeatedTime &time : steps2)
      time.measure([&] { two->step(inputs); });
    state.SetIterationTime(passes2.getBest());
  }
  auto getSum = [](ArrayRef<RepeatedTime> times) {
    double sum = 0;
    for (const RepeatedTime &time : times)
      sum += time.getBest();
    return sum;
  };
  state.counters["both_passes"] = passes1.getBest() / passes2.getBest();
  state.counters["step"] = getSum(steps1) / getSum(steps2);
}

static bool registerAll() {
  for (StringRef name : {"tdnn", "tdnnf", "lstmp"})
    benchmark::RegisterBenchmark(("train/" + name + "/n:8/t:150").str().c_str(),
                                 [=](auto &state) { train(state, name); })
        ->UseManualTime()
        ->Iterations(4)
        ->Unit(benchmark::kMillisecond);
  for (StringRef name : {"tdnn", "tdnnf", "lstmp"})
    benchmark::RegisterBenchmark(
        ("train/" + name + "/n:8/t:150/threads:2").str().c_str(),
        [=](auto &state) { trainWithThreads(state, name); })
        ->UseManualTime()
        ->Iterations(4)
        ->Unit(benchmark::kMillisecond);
  return true;
}

static bool registered = registerAll();
