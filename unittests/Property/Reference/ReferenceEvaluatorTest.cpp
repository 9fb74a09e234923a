//===- ReferenceEvaluatorTest.cpp - Hand-computed cases of the evaluator --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Networks/Case.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir::nnet3;
using namespace mlir::nnet3::property;

namespace {

/// A network whose input `x` has the value 10 n + t + 100 x in every column.
class ReferenceEvaluatorTest : public ::testing::Test {
protected:
  ReferenceEvaluator &load(const std::string &body) {
    module = mlir::parseSourceString<mlir::ModuleOp>(
        "nnet3.network @net {\n" + body + "}\n", context.get());
    EXPECT_TRUE(module);
    evaluator = std::make_unique<ReferenceEvaluator>(
        *module->getOps<NetworkOp>().begin());
    return *evaluator;
  }

  void supply(const std::string &name, int firstT, int lastT, int x = 0) {
    int node = evaluator->find(name);
    for (int t = firstT; t <= lastT; ++t) {
      evaluator->supply({node, {0, t, x}},
                        Vector(evaluator->getDim(node), t + 100 * x));
    }
  }

  Row at(const std::string &name, int t, int x = 0) {
    return {evaluator->find(name), {0, t, x}};
  }

  Vector value(const std::string &name, int t) {
    EXPECT_EQ(evaluator->analyze({at(name, t)}), Outcome::Computable);
    return evaluator->evaluate(at(name, t));
  }

  std::unique_ptr<mlir::MLIRContext> context = makeContext();
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::unique_ptr<ReferenceEvaluator> evaluator;
};

} // namespace

TEST_F(ReferenceEvaluatorTest, RoundsAndSwitchesNegativeTimes) {
  load(R"(
    %x = nnet3.input_node "x" : !nnet3.rows<1>
    %0 = nnet3.round %x, 4 : !nnet3.rows<1>
    %1 = nnet3.offset %x, t = 10 : !nnet3.rows<1>
    %2 = nnet3.offset %x, t = 20 : !nnet3.rows<1>
    %3 = nnet3.switch %x, %1, %2 : !nnet3.rows<1>
    %4 = nnet3.offset %0, t = -1 : !nnet3.rows<1>
    %5 = nnet3.replace_index %x, t = 7 : !nnet3.rows<1>
    %6 = nnet3.append %0, %3, %4, %5 : (!nnet3.rows<1>, !nnet3.rows<1>, !nnet3.rows<1>, !nnet3.rows<1>) -> !nnet3.rows<4>
    nnet3.output_node "output", %6 : !nnet3.rows<4>
  )");
  supply("x", -20, 30);
  EXPECT_EQ(value("output", -1), Vector({-4, 19, -4, 7}));
  EXPECT_EQ(value("output", -3), Vector({-4, -3, -4, 7}));
  EXPECT_EQ(value("output", 4), Vector({4, 14, 0, 7}));
}

TEST_F(ReferenceEvaluatorTest, ChoosesPerAppendedPart) {
  load(R"(
    %x = nnet3.input_node "x" : !nnet3.rows<1>
    %y = nnet3.input_node "y" : !nnet3.rows<1>
    %0 = nnet3.append %x, %y : (!nnet3.rows<1>, !nnet3.rows<1>) -> !nnet3.rows<2>
    %1 = nnet3.offset %0, t = 1 : !nnet3.rows<2>
    %2 = nnet3.scale -1.0, %0 : !nnet3.rows<2>
    %3 = nnet3.failover %1, %2 : !nnet3.rows<2>
    nnet3.output_node "output", %3 : !nnet3.rows<2>
  )");
  supply("x", 0, 5);
  supply("y", 0, 6);
  EXPECT_EQ(value("output", 4), Vector({5, 5}));
  EXPECT_EQ(value("output", 5), Vector({-5, 6}));
  EXPECT_EQ(evaluator->analyze({at("output", 6)}), Outcome::NotComputable);
}

TEST_F(ReferenceEvaluatorTest, TakesAllOfAnOptionalSumOrNothing) {
  load(R"(
    %x = nnet3.input_node "x" : !nnet3.rows<1>
    %y = nnet3.input_node "y" : !nnet3.rows<1>
    %0 = nnet3.sum %x, %y, %x : !nnet3.rows<1>
    %1 = nnet3.if_defined %0 : !nnet3.rows<1>
    %2 = nnet3.const 0.5 : !nnet3.rows<1>
    %3 = nnet3.sum %1, %2 : !nnet3.rows<1>
    nnet3.output_node "output", %3 : !nnet3.rows<1>
  )");
  supply("x", 0, 4);
  supply("y", 4, 5);
  EXPECT_EQ(value("output", 4), Vector({12.5}));
  EXPECT_EQ(value("output", 3), Vector({0.5}));
  EXPECT_EQ(value("output", 9), Vector({0.5}));
  EXPECT_EQ(evaluator->getUsedRows(), std::vector<Row>({at("output", 9)}));
}

// h(t) = x(t) + 2 h(t - 1), starting at the first given frame.
TEST_F(ReferenceEvaluatorTest, UnrollsRecurrences) {
  load(R"(
    %x = nnet3.input_node "x" : !nnet3.rows<1>
    nnet3.no_op @no_op {dim = 1}
    %0 = nnet3.scale 2.0, %h : !nnet3.rows<1>
    %1 = nnet3.offset %0, t = -1 : !nnet3.rows<1>
    %2 = nnet3.if_defined %1 : !nnet3.rows<1>
    %3 = nnet3.sum %x, %2 : !nnet3.rows<1>
    %h = nnet3.component_node "h" @no_op(%3) : (!nnet3.rows<1>) -> !nnet3.rows<1>
    nnet3.output_node "output", %h : !nnet3.rows<1>
  )");
  supply("x", 1, 3);
  EXPECT_EQ(value("output", 3), Vector({11}));
  EXPECT_EQ(evaluator->getUsedRows().size(), 7u);
  // A value of the component that the caller has ends the recurrence.
  supply("h", 2, 2);
  EXPECT_EQ(value("output", 3), Vector({7}));
  EXPECT_EQ(evaluator->analyze({at("output", 4)}), Outcome::NotComputable);
}

TEST_F(ReferenceEvaluatorTest, TellsCyclesFromEndlessRecurrences) {
  load(R"(
    %x = nnet3.input_node "x" : !nnet3.rows<1>
    nnet3.no_op @no_op {dim = 1}
    %0 = nnet3.offset %both, t = -1 : !nnet3.rows<1>
    %1 = nnet3.if_defined %0 : !nnet3.rows<1>
    %2 = nnet3.offset %both, t = 1 : !nnet3.rows<1>
    %3 = nnet3.if_defined %2 : !nnet3.rows<1>
    %4 = nnet3.sum %x, %1, %3 : !nnet3.rows<1>
    %both = nnet3.component_node "both" @no_op(%4) : (!nnet3.rows<1>) -> !nnet3.rows<1>
    nnet3.output_node "cyclic", %both : !nnet3.rows<1>
    %5 = nnet3.sum %x, %self : !nnet3.rows<1>
    %self = nnet3.component_node "self" @no_op(%5) : (!nnet3.rows<1>) -> !nnet3.rows<1>
    nnet3.output_node "never", %self : !nnet3.rows<1>
    %6 = nnet3.offset %endless, t = -1 : !nnet3.rows<1>
    %7 = nnet3.if_defined %6 : !nnet3.rows<1>
    %endless = nnet3.component_node "endless" @no_op(%7) : (!nnet3.rows<1>) -> !nnet3.rows<1>
    nnet3.output_node "endless_output", %endless : !nnet3.rows<1>
  )");
  supply("x", 0, 3);
  EXPECT_EQ(evaluator->analyze({at("cyclic", 1)}), Outcome::Cyclic);
  EXPECT_EQ(evaluator->analyze({at("never", 1)}), Outcome::NotComputable);
  EXPECT_TRUE(evaluator->mayReadItself());
  EXPECT_FALSE(evaluator->mayReadEndlessly({at("never", 1)}));
  EXPECT_EQ(evaluator->analyze({at("endless_output", 1)}), Outcome::Unbounded);
  EXPECT_TRUE(evaluator->mayReadEndlessly({at("endless_output", 1)}));
}

TEST_F(ReferenceEvaluatorTest, EvaluatesComponents) {
  load(R"(
    %x = nnet3.input_node "x" : !nnet3.rows<2>
    nnet3.tdnn @tdnn {input_dim = 2, output_dim = 1, time_offsets = array<i64: 3, -1>, linear_params = dense<[[1.0, 10.0, 100.0, 1000.0]]> : tensor<1x4xf32>, bias_params = dense<[0.5]> : tensor<1xf32>}
    %a = nnet3.component_node "a" @tdnn(%x) : (!nnet3.rows<2>) -> !nnet3.rows<1>
    nnet3.output_node "output", %a : !nnet3.rows<1>
    nnet3.batch_norm @bn {dim = 2, test_mode = true, count = 3.0, epsilon = 1.0 : f32, target_rms = 4.0 : f32, stats_mean = dense<[1.0, 2.0]> : tensor<2xf32>, stats_var = dense<[3.0, 15.0]> : tensor<2xf32>}
    %b = nnet3.component_node "b" @bn(%x) : (!nnet3.rows<2>) -> !nnet3.rows<2>
    nnet3.output_node "normalised", %b : !nnet3.rows<2>
  )");
  supply("x", 0, 9);
  // 11 x(5) + 1100 x(1) + 0.5
  EXPECT_EQ(value("output", 2), Vector({1155.5}));
  EXPECT_EQ(value("normalised", 4), Vector({6, 2}));
  EXPECT_EQ(evaluator->analyze({at("output", 0)}), Outcome::NotComputable);
}

TEST_F(ReferenceEvaluatorTest, NormalizesTheRowsThatAreUsed) {
  load(R"(
    %x = nnet3.input_node "x" : !nnet3.rows<2>
    nnet3.batch_norm @bn {dim = 2, block_dim = 1, epsilon = 2.0 : f32, target_rms = 5.0 : f32}
    %b = nnet3.component_node "b" @bn(%x) : (!nnet3.rows<2>) -> !nnet3.rows<2>
    nnet3.output_node "output", %b : !nnet3.rows<2>
  )");
  supply("x", 0, 9);
  evaluator->supply(at("x", 6), {2, -2});
  evaluator->supply(at("x", 7), {4, -4});
  // Mean 0, variance 10, so that the scale is 5 / sqrt(12).
  ASSERT_EQ(evaluator->analyze({at("output", 6), at("output", 7)}),
            Outcome::Computable);
  double scale = 5 / std::sqrt(12.0);
  EXPECT_EQ(evaluator->evaluate(at("output", 6)),
            Vector({2 * scale, -2 * scale}));
  EXPECT_EQ(evaluator->evaluate(at("output", 7)),
            Vector({4 * scale, -4 * scale}));
}

TEST_F(ReferenceEvaluatorTest, EvaluatesAgainWithOtherTensors) {
  load(R"(
    %x = nnet3.input_node "x" : !nnet3.rows<1>
    nnet3.affine @affine {input_dim = 1, output_dim = 1, linear_params = dense<[[2.0]]> : tensor<1x1xf32>, bias_params = dense<[-5.0]> : tensor<1xf32>}
    nnet3.rectified_linear @relu {dim = 1}
    %a = nnet3.component_node "a" @affine(%x) : (!nnet3.rows<1>) -> !nnet3.rows<1>
    %b = nnet3.component_node "b" @relu(%a) : (!nnet3.rows<1>) -> !nnet3.rows<1>
    nnet3.output_node "output", %b : !nnet3.rows<1>
  )");
  supply("x", 0, 9);
  EXPECT_EQ(value("output", 3), Vector({1}));
  EXPECT_EQ(evaluator->getKinks().nearest, 1);
  EXPECT_EQ(evaluator->getKinks().sides, std::vector<signed char>({1}));
  evaluator->getComponent("affine").tensors["linear_params"] = {1.5};
  evaluator->forget();
  EXPECT_EQ(evaluator->evaluate(at("output", 3)), Vector({0}));
  EXPECT_EQ(evaluator->getKinks().nearest, 0.5);
  EXPECT_EQ(evaluator->getKinks().sides, std::vector<signed char>({-1}));
}
