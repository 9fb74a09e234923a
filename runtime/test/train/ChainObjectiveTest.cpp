//===- ChainObjectiveTest.cpp - Lattice-free MMI --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objectives of small random graphs are compared with sums over all their
// paths, which are listed one by one in double precision.
//
//===----------------------------------------------------------------------===//

#include "nnet3/runtime/ChainObjective.h"
#include "nnet3/runtime/ChainSupervisor.h"
#include "test/support/ProgramWriter.h"
#include "test/support/TestMatrix.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace nnet3 {
namespace rt {
namespace test {
namespace {

constexpr int32_t kNumPdfs = 3;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

MatrixView writable(Matrix &matrix) {
  return MatrixView(matrix.values.data(), matrix.rows, matrix.cols,
                    matrix.cols);
}

//===----------------------------------------------------------------------===//
// Random graphs
//===----------------------------------------------------------------------===//

/// Adds the states one after the other.
class GraphBuilder {
public:
  explicit GraphBuilder(uint32_t seed) : random(seed) {}

  float drawCost() {
    return std::uniform_real_distribution<float>(0.2f, 2.0f)(random);
  }
  int32_t draw(int32_t end) {
    return std::uniform_int_distribution<int32_t>(0, end - 1)(random);
  }
  void addArc(int32_t target) {
    graph.arcs.push_back({target, draw(kNumPdfs), drawCost()});
  }
  void endState(float finalCost) {
    graph.finalCosts.push_back(finalCost);
    graph.arcsBegin.push_back(int64_t(graph.arcs.size()));
  }

  ChainGraph graph;

private:
  std::mt19937 random;
};

/// With cycles; all states are final.
ChainGraph cyclicGraph(int32_t numStates, int32_t start, uint32_t seed) {
  GraphBuilder builder(seed);
  for (int32_t s = 0; s < numStates; ++s) {
    builder.addArc((s + 1) % numStates);
    builder.addArc(builder.draw(numStates));
    builder.endState(builder.drawCost());
  }
  builder.graph.start = start;
  return builder.graph;
}

/// Two states for each time but the first.
ChainGraph acyclicGraph(int32_t numFrames, uint32_t seed) {
  GraphBuilder builder(seed);
  for (int32_t t = 0; t <= numFrames; ++t)
    for (int32_t s = 0; s < (t == 0 ? 1 : 2); ++s) {
      for (int32_t next = 0; t < numFrames && next < 2; ++next)
        builder.addArc(2 * t + 1 + next);
      builder.endState(t == numFrames ? builder.drawCost() : kInfinity);
    }
  return builder.graph;
}

//===----------------------------------------------------------------------===//
// All paths
//===----------------------------------------------------------------------===//

/// Sums over an enumeration of paths.
struct PathSum {
  double probability = 0;
  /// The probability of the paths through each time and pdf.
  std::vector<std::vector<double>> through;
};

using Score = std::function<double(int32_t time, int32_t pdf)>;

/// Lists the paths of \p numFrames arcs. With a leak, paths go from any state
/// to any other before each frame and at the end, with the probability of the
/// leak times the initial one.
class PathLister {
public:
  PathLister(const ChainGraph &graph, int32_t numFrames, Score score)
      : graph(graph), numFrames(numFrames), score(std::move(score)) {
    sum.through.assign(numFrames, std::vector<double>(kNumPdfs));
  }

  PathSum listFromStart() {
    visit(graph.start, 1);
    return sum;
  }

  PathSum listLeaky(double theLeak, const std::vector<float> &theInitial) {
    leak = theLeak;
    initial = &theInitial;
    for (int32_t s = 0; s < graph.numStates(); ++s)
      leave(s, theInitial[s]);
    return sum;
  }

private:
  /// The leak, or none, then what follows.
  void leave(int32_t state, double probability) {
    visit(state, probability);
    for (int32_t s = 0; s < graph.numStates(); ++s)
      visit(s, probability * leak * (*initial)[s]);
  }

  void visit(int32_t state, double probability) {
    if (int32_t(pdfs.size()) == numFrames) {
      add(initial ? probability
                  : probability * std::exp(-graph.finalCosts[state]));
      return;
    }
    const auto time = int32_t(pdfs.size());
    for (int64_t a = graph.arcsBegin[state]; a < graph.arcsBegin[state + 1];
         ++a) {
      const ChainGraph::Arc &arc = graph.arcs[a];
      const double next =
          probability * std::exp(score(time, arc.pdf) - arc.cost);
      pdfs.push_back(arc.pdf);
      if (initial)
        leave(arc.target, next);
      else
        visit(arc.target, next);
      pdfs.pop_back();
    }
  }

  void add(double probability) {
    sum.probability += probability;
    for (int32_t t = 0; t < numFrames; ++t)
      sum.through[t][pdfs[t]] += probability;
  }

  const ChainGraph &graph;
  int32_t numFrames;
  Score score;
  double leak = 0;
  const std::vector<float> *initial = nullptr;
  std::vector<int32_t> pdfs;
  PathSum sum;
};

/// A minibatch, and its objective by definition.
struct Trial {
  ChainGraph graph = cyclicGraph(4, 2, 1);
  ChainSupervision supervision;
  ChainOptions options;
  Matrix output;

  Trial(int32_t numSequences, int32_t numFrames, bool endToEnd, uint32_t seed)
      : output(randomMatrix(numSequences * numFrames, kNumPdfs, seed)) {
    options.leakyHmmCoefficient = 0.1f;
    supervision.weight = 0.7f;
    supervision.numSequences = numSequences;
    supervision.framesPerSequence = numFrames;
    supervision.endToEnd = endToEnd;
    if (endToEnd)
      for (int32_t s = 0; s < numSequences; ++s)
        supervision.graphs.push_back(cyclicGraph(3, 0, seed + s));
    else
      supervision.graphs.push_back(
          acyclicGraph(numSequences * numFrames, seed));
  }

  DenominatorGraph denominator() const {
    auto result = DenominatorGraph::create(graph, kNumPdfs);
    EXPECT_TRUE(result.ok()) << result.status().message();
    return *result;
  }

  Result<ChainObjective> compute(Matrix &derivative,
                                 MatrixView crossEntropy = MatrixView(),
                                 bool penalizesRange = false) const {
    return computeChainObjective(denominator(), supervision, options,
                                 penalizesRange, output.view(),
                                 writable(derivative), crossEntropy);
  }

  /// Adds the posteriors, times \p scale, and gives the logarithm of the
  /// probability.
  double addPosteriors(const PathSum &sum, double scale, int32_t sequence,
                       std::vector<double> &derivative) const {
    const int32_t numFrames = supervision.framesPerSequence;
    for (size_t time = 0; time < sum.through.size(); ++time) {
      const int64_t row = rowOf(sequence + int32_t(time) / numFrames,
                                int32_t(time) % numFrames);
      for (int32_t pdf = 0; pdf < kNumPdfs; ++pdf)
        derivative[row * kNumPdfs + pdf] +=
            scale * sum.through[time][pdf] / sum.probability;
    }
    return std::log(sum.probability);
  }

  int64_t rowOf(int32_t sequence, int32_t frame) const {
    return int64_t(frame) * supervision.numSequences + sequence;
  }

  /// Scores of paths that begin with \p sequence.
  Score scoresFrom(int32_t sequence) const {
    return [this, sequence](int32_t time, int32_t pdf) -> double {
      const int32_t numFrames = supervision.framesPerSequence;
      return output.at(
          int32_t(rowOf(sequence + time / numFrames, time % numFrames)), pdf);
    };
  }

  double listNumerator(std::vector<double> &posteriors) const {
    const int32_t numFrames = supervision.framesPerSequence;
    const auto numGraphs = int32_t(supervision.graphs.size());
    const int32_t numArcs = supervision.endToEnd ? numFrames : output.rows;
    double sum = 0;
    for (int32_t g = 0; g < numGraphs; ++g)
      sum += addPosteriors(
          PathLister(supervision.graphs[g], numArcs, scoresFrom(g))
              .listFromStart(),
          supervision.weight, g, posteriors);
    return sum;
  }

  double listDenominator(std::vector<double> &derivative) const {
    const DenominatorGraph prepared = denominator();
    double sum = 0;
    for (int32_t s = 0; s < supervision.numSequences; ++s)
      sum += addPosteriors(
          PathLister(graph, supervision.framesPerSequence, scoresFrom(s))
              .listLeaky(options.leakyHmmCoefficient,
                         prepared.initialProbabilities()),
          -supervision.weight, s, derivative);
    return sum;
  }
};

//===----------------------------------------------------------------------===//
// The objective
//===----------------------------------------------------------------------===//

void expectSumsOverPaths(const Trial &trial) {
  Matrix derivative(trial.output.rows, kNumPdfs, 99),
      crossEntropy(trial.output.rows, kNumPdfs, 99);
  auto result = trial.compute(derivative, writable(crossEntropy));
  ASSERT_TRUE(result.ok()) << result.status().message();
  std::vector<double> expected(trial.output.values.size());
  const double numerator = trial.listNumerator(expected);
  expectNear(crossEntropy, expected);
  const double denominator = trial.listDenominator(expected);
  expectNear(derivative, expected);
  const float weight = trial.supervision.weight;
  EXPECT_FALSE(result->failed);
  EXPECT_NEAR(result->numerator,
              trial.supervision.endToEnd ? numerator : weight * numerator,
              1e-6);
  EXPECT_NEAR(result->denominator, denominator, 1e-5);
  EXPECT_NEAR(result->objective,
              result->numerator - weight * result->denominator, 1e-9);
  EXPECT_NEAR(result->weight, double(weight) * trial.output.rows, 1e-9);
}

TEST(ChainObjectiveTest, SumsOverAllPaths) {
  for (uint32_t seed = 1; seed < 6; ++seed) {
    expectSumsOverPaths(Trial(2, 3, /*endToEnd=*/false, seed));
    expectSumsOverPaths(Trial(1, 4, /*endToEnd=*/false, seed));
    expectSumsOverPaths(Trial(2, 3, /*endToEnd=*/true, seed));
  }
  // More sequences than vectors have lanes.
  expectSumsOverPaths(Trial(35, 2, /*endToEnd=*/true, 7));
}

TEST(ChainObjectiveTest, ThreadsHaveNoEffect) {
  Trial trial(40, 5, /*endToEnd=*/true, 8);
  Matrix one(trial.output.rows, kNumPdfs), three = one;
  auto first = trial.compute(one);
  trial.options.numThreads = 3;
  auto second = trial.compute(three);
  EXPECT_EQ(first->objective, second->objective);
  EXPECT_EQ(one.values, three.values);
}

TEST(ChainObjectiveTest, L2Term) {
  Trial trial(2, 3, /*endToEnd=*/false, 9);
  Matrix without(6, kNumPdfs), with = without;
  auto first = trial.compute(without);
  trial.options.l2Regularize = 0.25f;
  auto second = trial.compute(with);
  EXPECT_EQ(first->objective, second->objective);
  EXPECT_EQ(first->l2Term, 0);
  double squares = 0;
  for (size_t i = 0; i < with.values.size(); ++i) {
    const float x = trial.output.values[i];
    squares += double(x) * x;
    EXPECT_NEAR(with.values[i], without.values[i] - 0.7f * 0.25f * x, 1e-6);
  }
  EXPECT_NEAR(second->l2Term, -0.5 * 0.7f * 0.25f * squares, 1e-6);
}

TEST(ChainObjectiveTest, Penalty) {
  Trial trial(2, 3, /*endToEnd=*/false, 10);
  trial.output.values[4] = 32;
  trial.output.values[7] = -35;
  trial.options.outOfRangeRegularize = 0.5f;
  Matrix without(6, kNumPdfs), with = without;
  auto first = trial.compute(without);
  auto second = trial.compute(with, MatrixView(), /*penalizesRange=*/true);
  EXPECT_EQ(first->objective, second->objective);
  for (size_t i = 0; i < with.values.size(); ++i)
    EXPECT_NEAR(with.values[i] - without.values[i],
                i == 4   ? -2
                : i == 7 ? 5
                         : 0,
                1e-6);
}

TEST(ChainObjectiveTest, Failure) {
  Trial trial(2, 3, /*endToEnd=*/false, 11);
  for (float &value : trial.output.values)
    value = std::numeric_limits<float>::quiet_NaN();
  Matrix derivative(6, kNumPdfs, 99), crossEntropy(6, kNumPdfs, 99);
  auto result = trial.compute(derivative, writable(crossEntropy));
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result->failed);
  EXPECT_NEAR(result->objective, -10 * 0.7f * 6, 1e-6);
  EXPECT_EQ(derivative.values, Matrix(6, kNumPdfs).values);
  EXPECT_EQ(crossEntropy.values, Matrix(6, kNumPdfs).values);
}

//===----------------------------------------------------------------------===//
// The training step
//===----------------------------------------------------------------------===//

TEST(ChainSupervisorTest, WeightsDerivatives) {
  const Trial trial(2, 3, /*endToEnd=*/false, 12);
  Matrix plain(6, kNumPdfs), plainXent = plain;
  auto objective = trial.compute(plain, writable(plainXent));
  const Matrix xentOutput = randomMatrix(6, kNumPdfs, 13);
  const std::vector<float> weights = {1, 0.5f, 0, 2, 1, 0.25f};
  ChainTrainingOptions options;
  options.objective = trial.options;
  options.xentRegularize = 0.1f;
  ChainSupervisor supervisor(
      std::make_shared<DenominatorGraph>(trial.denominator()), options,
      {{"output", trial.supervision, weights}});
  Matrix derivative(6, kNumPdfs), xent = derivative;
  auto result = supervisor.supervise(
      {{"output-xent", xentOutput.view(), writable(xent)},
       {"output", trial.output.view(), writable(derivative)}},
      /*seed=*/1);
  ASSERT_TRUE(result.ok()) << result.status().message();
  ASSERT_EQ(result->size(), 2u);
  EXPECT_EQ((*result)[0].name, "output");
  EXPECT_EQ((*result)[0].objective.value, objective->objective);
  EXPECT_EQ((*result)[1].name, "output-xent");
  double sum = 0;
  for (int32_t r = 0; r < 6; ++r)
    for (int32_t c = 0; c < kNumPdfs; ++c) {
      sum += double(xentOutput.at(r, c)) * plainXent.at(r, c);
      EXPECT_NEAR(derivative.at(r, c), weights[r] * plain.at(r, c), 1e-6);
      EXPECT_NEAR(xent.at(r, c), 0.1f * weights[r] * plainXent.at(r, c), 1e-6);
    }
  EXPECT_NEAR((*result)[1].objective.value, sum, 1e-6);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

std::string messageOf(const Trial &trial) {
  Matrix derivative(trial.output.rows, kNumPdfs);
  auto result = trial.compute(derivative);
  EXPECT_FALSE(result.ok());
  return result.status().message();
}

TEST(ChainObjectiveTest, RefusesGraphs) {
  ChainGraph graph = cyclicGraph(3, 0, 14);
  graph.arcs[2].pdf = kNumPdfs;
  EXPECT_EQ(DenominatorGraph::create(graph, kNumPdfs).status().message(),
            "expects a denominator graph of pdfs below 3, but got 3");
  graph = cyclicGraph(3, 0, 14);
  graph.arcs[2].cost = graph.arcs[3].cost = kInfinity;
  graph.finalCosts[1] = kInfinity;
  EXPECT_EQ(DenominatorGraph::create(graph, kNumPdfs).status().message(),
            "expects what leaves state 1 to have a probability between 0 and "
            "100, but got 0.000000");
  graph = cyclicGraph(3, 3, 14);
  EXPECT_EQ(DenominatorGraph::create(graph, kNumPdfs).status().message(),
            "the denominator graph has no start");

  Trial trial(2, 3, /*endToEnd=*/false, 15);
  trial.supervision.graphs[0].arcs[3].pdf = -1;
  EXPECT_EQ(messageOf(trial), "expects a graph of pdfs below 3, but got -1");
  trial = Trial(2, 3, /*endToEnd=*/false, 15);
  trial.supervision.graphs[0].arcs[3].target = 1;
  EXPECT_EQ(messageOf(trial), "expects states in the order of time, but got an "
                              "arc from state 1 to state 1");
  trial = Trial(2, 3, /*endToEnd=*/false, 15);
  trial.supervision.graphs[0].finalCosts[4] = 0;
  EXPECT_EQ(messageOf(trial), "expects paths of 6 frames, but got others "
                              "through state 4");
  trial = Trial(2, 3, /*endToEnd=*/true, 15);
  trial.supervision.graphs.pop_back();
  EXPECT_EQ(messageOf(trial), "expects 2 graphs, but got 1");
  trial.supervision.graphs.clear();
  trial.supervision.framesPerSequence = 4;
  EXPECT_EQ(messageOf(trial), "expects an output of 8x3, but got 6x3");
}

} // namespace
} // namespace test
} // namespace rt
} // namespace nnet3
