//===- SelfRepairTest.cpp - Nonlinearities that repair themselves ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/support/NonlinearTrial.h"

#include <gtest/gtest.h>

namespace nnet3 {
namespace rt {
namespace test {
namespace {

/// A type of component, and the expected effect of self-repair.
struct Repair {
  const NonlinearType *type;
  Vector derivAvg; ///< per column
  int32_t blockDim;
  Vector direction;           ///< +1 to raise the derivative, -1 to lower it
  double (*effect)(double y); ///< on dx
  int32_t numRepaired;
};

BackpropTrial repairTrial(const Repair &repair, int32_t rows) {
  const int32_t dim = int32_t(repair.derivAvg.size());
  BackpropTrial trial = trialOf(repair.type->name, rows, dim);
  trial.attrs.emplace_back("block_dim", repair.blockDim);
  trial.attrs.emplace_back("self_repair_scale", 0.0625);
  trial.attrs.emplace_back("deriv_avg", vectorTensor({repair.derivAvg.begin(),
                                                      repair.derivAvg.end()}));
  trial.attrs.emplace_back("value_avg",
                           vectorTensor(std::vector<float>(size_t(dim))));
  trial.attrs.emplace_back("count", 10.0);
  return trial;
}

void expectRepairs(const Repair &repair) {
  const int32_t dim = int32_t(repair.derivAvg.size());
  const Matrix x = randomMatrix(3, dim, 9), dy = randomMatrix(3, dim, 10);
  BackpropTrial trial = repairTrial(repair, 3);
  trial.hasModel = false;
  const Matrix plain = backprop(trial, x, dy).inDeriv;
  trial.hasModel = true;
  int times = 0;
  for (trial.seed = 0; trial.seed < 400; ++trial.seed) {
    const BackpropResult result = backprop(trial, x, dy);
    const auto &stats = statistics(result);
    const bool repaired = stats[kNumRepaired][0] != 0;
    times += repaired;
    EXPECT_EQ(stats[kNumRepaired][0], repaired ? repair.numRepaired : 0);
    const bool isRelu = repair.type == &kRelu;
    EXPECT_EQ(stats[kNumProcessed][0],
              repaired || !isRelu ? repair.blockDim : 0);
    Vector expected;
    for (int32_t r = 0; r < 3; ++r)
      for (int32_t c = 0; c < dim; ++c)
        expected.push_back(plain.at(r, c) +
                           (repaired ? 0.125 : 0) * repair.direction[c] *
                               repair.effect(result.output.at(r, c)));
    expectNear(result.inDeriv, expected, 1e-6);
  }
  EXPECT_NEAR(times, 200, 50);
}

TEST(SelfRepairTest, Sigmoid) {
  // Up to the default threshold of 0.05.
  expectRepairs({&kSigmoid,
                 {0.25, 0.049, 0.051, 0, 0.2},
                 5,
                 {0, 1, 0, 1, 0},
                 [](double y) { return -(2 * y - 1); },
                 2});
}

TEST(SelfRepairTest, Tanh) {
  expectRepairs(
      {&kTanh, {0.19, 0.21, 1}, 3, {1, 0, 0}, [](double y) { return -y; }, 1});
}

TEST(SelfRepairTest, Relu) {
  expectRepairs({&kRelu,
                 {0.04, 0.06, 0.94, 0.96, 0},
                 5,
                 {1, 0, 0, -1, 1},
                 [](double) { return 1.0; },
                 3});
}

TEST(SelfRepairTest, ReluInBlocks) {
  // Averages 0.5, 0.04 and 0.97 over the two blocks.
  expectRepairs({&kRelu,
                 {0, 0.08, 1, 1, 0, 0.94},
                 3,
                 {0, 1, -1, 0, 1, -1},
                 [](double) { return 1.0; },
                 2});
}

TEST(SelfRepairTest, Thresholds) {
  Repair repair = {&kRelu, {0.25, 0.5, 0.75}, 3, {}, nullptr, 0};
  BackpropTrial trial = repairTrial(repair, 1);
  trial.attrs.emplace_back("self_repair_lower_threshold", 0.25);
  trial.attrs.emplace_back("self_repair_upper_threshold", 0.75);
  const Matrix x = randomMatrix(1, 3, 11);
  double repaired = 0;
  for (trial.seed = 0; trial.seed < 20 && repaired == 0; ++trial.seed)
    repaired = statistics(backprop(trial, x, x))[kNumRepaired][0];
  EXPECT_EQ(repaired, 1) << "at the lower threshold, not at the upper one";
}

TEST(SelfRepairTest, RefusesWrongOptions) {
  auto error = [](const std::string &type, const char *name, double value,
                  bool trains) {
    ProgramWriter writer;
    CommandData back{Opcode::Backprop};
    back.component = writer.component(
        "c", type, {{"dim", 2}, {"self_repair_scale", 0.01}, {name, value}});
    back.outValue = writer.input("input", 1, 2);
    back.src = writer.input("output", 1, 2, true);
    if (trains)
      writer.command(back);
    writer.output("output", back.outValue);
    return loadError(writer);
  };
  EXPECT_EQ(error("TanhComponent", "self_repair_upper_threshold", 0.5, true),
            "command 2 (backprop): component 'c' of type TanhComponent has no "
            "use for a self_repair_upper_threshold");
  EXPECT_EQ(error("TanhComponent", "self_repair_upper_threshold", 0.5, false),
            "");
  EXPECT_EQ(error("RectifiedLinearComponent", "self_repair_upper_threshold",
                  0.5, true),
            "");
}

TEST(SelfRepairTest, RefusesWrongScales) {
  for (double scale : {-0.01, 0.1, 0.5}) {
    ProgramWriter writer;
    CommandData back{Opcode::Backprop};
    back.component = writer.component(
        "c", "SigmoidComponent", {{"dim", 2}, {"self_repair_scale", scale}});
    back.outValue = writer.input("input", 1, 2);
    back.src = writer.input("output", 1, 2, true);
    writer.command(back);
    writer.output("output", back.outValue);
    EXPECT_NE(loadError(writer).find("a self_repair_scale from 0 to below 0.1"),
              std::string::npos);
  }
}

} // namespace
} // namespace test
} // namespace rt
} // namespace nnet3
