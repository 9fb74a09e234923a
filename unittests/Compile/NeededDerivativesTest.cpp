//===- NeededDerivativesTest.cpp - Steps with derivatives -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Compile/NeededDerivatives.h"
#include "CompileTest.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
class NeededDerivativesTest : public CompileTest {
protected:
  /// Names of the nodes of the steps that have derivatives.
  std::string needed(const std::string &network, const std::string &request,
                     bool modelDerivative = false) {
    parse(network, request);
    getRequest().setNeedModelDerivative(modelDerivative);
    runSteps();
    std::vector<bool> list = computeNeededDerivatives(
        *graph, steps, getDerivativeRequest(getRequest(), rows));
    std::string text;
    for (auto [step, isNeeded] : llvm::zip_equal(steps.steps, list))
      if (isNeeded)
        text += (text.empty() ? "" : " ") + (*nodes)[step.node].name;
    return text;
  }
};

/// x -> relu -> affine -> output, and x -> output2.
std::string twoOutputs(StringRef affineAttributes) {
  return (R"(
  %x = nnet3.input_node "x" : !nnet3.rows<2>
  nnet3.rectified_linear @relu {dim = 2}
  %a = nnet3.component_node "a" @relu(%x) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  nnet3.affine @affine {input_dim = 2, output_dim = 2)" +
          affineAttributes + R"(}
  %b = nnet3.component_node "b" @affine(%a) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  nnet3.output_node "output", %b : !nnet3.rows<2>
  nnet3.output_node "output2", %x : !nnet3.rows<2>
)")
      .str();
}

constexpr const char *kDeriv = R"(
  nnet3.request_input "x" <t = 0>
  nnet3.request_output "output" <t = 0> deriv
  nnet3.request_output "output2" <t = 0>
)";
} // namespace

/// Only steps at or after a component with parameters.
TEST_F(NeededDerivativesTest, ModelDerivative) {
  EXPECT_EQ(needed(twoOutputs(""), kDeriv, true), "b output");
}

/// A component with learning rate 0 is not trained, but the derivative of the
/// output is still accepted.
TEST_F(NeededDerivativesTest, LearningRateZero) {
  EXPECT_EQ(needed(twoOutputs(", learning_rate = 0.0 : f32"), kDeriv, true),
            "output");
}

TEST_F(NeededDerivativesTest, InputDerivative) {
  EXPECT_EQ(needed(twoOutputs(""), R"(
    nnet3.request_input "x" <t = 0> deriv
    nnet3.request_output "output" <t = 0>
    nnet3.request_output "output2" <t = 0> deriv
  )"),
            "x output2 a_input a b_input b");
}

TEST_F(NeededDerivativesTest, NothingWanted) {
  EXPECT_EQ(needed(twoOutputs(""), kDeriv), "output");
}

/// A view of a matrix has a derivative if the matrix has one.
TEST_F(NeededDerivativesTest, DimRange) {
  EXPECT_EQ(needed(R"(
    %x = nnet3.input_node "x" : !nnet3.rows<4>
    %r = nnet3.dim_range_node "r" %x offset 1 : !nnet3.rows<4> -> !nnet3.rows<2>
    nnet3.output_node "output", %r : !nnet3.rows<2>
  )",
                   R"(
    nnet3.request_input "x" <t = 0> deriv
    nnet3.request_output "output" <t = 0> deriv
  )"),
            "x r output");
}
