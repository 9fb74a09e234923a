//===- TrainingSteps.cpp - Comparison of training steps -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TrainingSteps.h"
#include "BackwardProgram.h"
#include "DeviceExecution.h"
#include "PropertyTest.h"

#include "nnet3/Dialect/Nnet3/Analysis/ComponentTable.h"

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;
namespace property = mlir::nnet3::property;
namespace rt = ::nnet3::rt;

std::unique_ptr<Case> property::makeTraining(const Case &test) {
  RandomRequest request = test.getRequest();
  request.modelDerivative = true;
  for (RandomIo &input : request.inputs)
    input.hasDeriv = false;
  return test.withRequest(request);
}

rt::TrainerOptions property::drawOptions(uint64_t seed) {
  rt::TrainerOptions options;
  options.seed = seed;
  options.zeroComponentStats = false;
  options.batchnormStatsScale = seed % 2 ? 0.8 : 1;
  if (seed % 3 == 0)
    options.momentum = 0.5;
  if (seed % 3 == 1)
    options.maxParamChange = 0.1f;
  if (seed % 3 == 2)
    options.backstitchTrainingScale = 0.3f;
  return options;
}

bool property::trains(const Case &test) {
  Compiled compiled = compile(test);
  if (!compiled.op)
    return false;
  ComponentTable components(compiled.op);
  for (auto op : compiled.op.getBody().getOps<BackpropOp>())
    if (has(components.getProperties(op.getComponent()),
            ComponentProperties::Updatable))
      return true;
  return false;
}

void property::shareMinibatches(NnetRunner &interpreter, RequestOp request,
                                Twin &twin, rt::TrainerOptions &options) {
  auto program = interpreter.load(request);
  ASSERT_TRUE(mlir::succeeded(program));
  options.exchange = &twin;
  if (!rt::Trainer::create(*program, options).ok())
    options.exchange = nullptr;
}

//===----------------------------------------------------------------------===//
// The interpreter's trainers
//===----------------------------------------------------------------------===//

namespace {

rt::Minibatch makeMinibatch(const Case &test, const NodeTable &nodes) {
  rt::Minibatch minibatch;
  for (const RandomIo &io : test.getRequest().inputs)
    minibatch.inputs.push_back({io.node, getRows(io, nodes)});
  for (const RandomIo &io : test.getRequest().outputs)
    if (io.hasDeriv)
      minibatch.supervision.push_back({io.node, getRows(io, nodes)});
  return minibatch;
}

double norm(const Vector &values) {
  double sum = 0;
  for (double value : values)
    sum += value * value;
  return std::sqrt(sum);
}

using Parameters = std::map<std::string, Tensors>;

Vector subtract(Vector a, const Vector &b) {
  for (size_t i = 0; i < a.size(); ++i)
    a[i] -= b[i];
  return a;
}

/// Trainers on the CPU: a main one, and others whose first parameters and whose
/// minibatches differ by a few units in the last place. If rows have fewer
/// dimensions than natural gradient's estimate has directions, it amplifies the
/// difference, and the spread of the trainers shows what is due to rounding. If
/// matrices are rounded to 16-bit integers, the differences are as large as the
/// rounding, so that the integers differ as well.
class CpuTrainers {
public:
  CpuTrainers(const Case &test, std::shared_ptr<const rt::Program> program,
              const rt::TrainerOptions &options, bool isRounded)
      : test(test), program(program), exponent(isRounded ? -12 : -21) {
    for (auto &trainer : trainers) {
      auto created = rt::Trainer::create(program, options);
      EXPECT_TRUE(created.ok()) << created.status().message();
      trainer = std::move(*created);
      trainer->setUnderlyingLearningRate(kRate);
    }
    before = getParameters(0);
    Random random(options.seed);
    for (size_t i = 1; i < std::size(trainers); ++i)
      perturb(trainers[i]->model(), random);
  }

  /// A step of each.
  std::vector<rt::TrainingStep> train(const Case &now, const NodeTable &nodes,
                                      Random &random) {
    std::vector<rt::TrainingStep> steps;
    for (auto &trainer : trainers) {
      RandomRequest request = now.getRequest();
      if (&trainer != &trainers[0])
        perturbValues(random, request, exponent);
      auto other = now.withRequest(request);
      auto step = trainer->train(program, makeMinibatch(*other, nodes));
      EXPECT_TRUE(step.ok()) << step.status().message();
      steps.push_back(*step);
    }
    return steps;
  }

  /// Checks that parameters differ from the first trainer's about as much as
  /// the other trainers' parameters do.
  void compare(const Parameters &actual) const {
    const Parameters expected = getParameters(0);
    for (const auto &[component, tensors] : expected)
      for (const auto &[name, values] : tensors) {
        auto distance = [&, &component = component, &name = name,
                         &values = values](const Parameters &other) {
          return norm(subtract(values, other.at(component).at(name)));
        };
        const double change = distance(before);
        double others = 0;
        for (size_t i = 1; i < std::size(trainers); ++i)
          others = std::max(others, distance(getParameters(i)));
        const double bound =
            std::max(std::min(1e-4 * change + 20 * others, 0.15 * change),
                     2 * others) +
            5e-6 * norm(values) + 1e-7;
        EXPECT_LE(distance(actual), bound)
            << component << " " << name << ": changed by " << change
            << ", which other roundings change by " << others;
      }
  }

  /// The same of statistics, which are of parameters that differ by rounding.
  void compareStatistics(const Parameters &actual) const {
    const Parameters expected = readState(trainers[0]->model());
    const Parameters parameters = getParameters(0);
    for (const auto &[component, tensors] : expected)
      for (const auto &[name, values] : tensors) {
        const auto known = parameters.find(component);
        if (known != parameters.end() && known->second.count(name))
          continue;
        const Vector &others = actual.at(component).at(name);
        ASSERT_EQ(others.size(), values.size()) << component << " " << name;
        double distance = norm(subtract(values, others)), bound = 0;
        for (size_t i = 1; i < std::size(trainers); ++i)
          bound = std::max(
              bound,
              norm(subtract(
                  values,
                  readState(trainers[i]->model()).at(component).at(name))));
        EXPECT_LE(distance, 1e-5 * (1 + norm(values)) + 20 * bound)
            << component << " " << name;
      }
  }

  const rt::Trainer &getFirst() const { return *trainers[0]; }

  static constexpr float kRate = 0.02f;

private:
  /// Layers behind a constant, as a softmax of one column, do not see how
  /// minibatches differ.
  void perturb(rt::Model &model, Random &random) const {
    for (const auto &[component, tensors] : before)
      for (const auto &[name, values] : tensors) {
        std::vector<float> changes;
        for (double value : values)
          changes.push_back(
              float(std::ldexp(random.chance(0.5) ? value : -value, -23)));
        const auto size = int32_t(changes.size());
        const rt::Status status = model.addToParameter(
            component, name, {changes.data(), 1, size, size});
        EXPECT_TRUE(status.ok()) << status.message();
      }
  }
  Parameters getParameters(size_t number) const {
    return readParameters(test, trainers[number]->model());
  }

  const Case &test;
  std::shared_ptr<const rt::Program> program;
  const int exponent; ///< of what minibatches differ by
  std::unique_ptr<rt::Trainer> trainers[4];
  Parameters before;
};

} // namespace

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

void property::compareSteps(Case &test,
                            const std::shared_ptr<const rt::Program> &program,
                            OtherTrainer &other,
                            const rt::TrainerOptions &options, bool isRounded) {
  CpuTrainers expected(test, program, options, isRounded);
  other.setUnderlyingLearningRate(CpuTrainers::kRate);
  auto nodes = NodeTable::get(test.getNetworkOp());
  Random random(options.seed);
  for (int i = 0; i < 4; ++i) {
    test.redraw(random);
    const auto steps = expected.train(test, *nodes, random);
    const rt::TrainingStep &a = steps[0];
    auto b = other.train(makeMinibatch(test, *nodes));
    ASSERT_TRUE(b.ok()) << b.status().message();
    EXPECT_EQ(a.refused, b->refused);
    ASSERT_EQ(a.objectives.size(), b->objectives.size());
    for (size_t k = 0; k < a.objectives.size(); ++k) {
      const rt::ObjectiveValue &x = a.objectives[k].objective,
                               &y = b->objectives[k].objective;
      EXPECT_EQ(a.objectives[k].name, b->objectives[k].name);
      double others = 0;
      for (const rt::TrainingStep &step : steps)
        others = std::max<double>(
            others, std::fabs(step.objectives[k].objective.value - x.value));
      EXPECT_NEAR(x.value, y.value,
                  1e-4 * (1 + std::fabs(x.value)) + 20 * others);
      EXPECT_NEAR(x.weight, y.weight, 1e-3);
    }
  }
  const rt::Model &model = other.getModel();
  expected.compare(readParameters(test, model));
  expected.compareStatistics(readState(model));
  EXPECT_EQ(expected.getFirst().maxChangeCounts().updates,
            other.getMaxChangeCounts().updates);
}
