//===- AffineUpdateTest.cpp - Updates of affine maps ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "core/ComponentState.h"
#include "test/support/AffineCase.h"
#include "train/NaturalGradient.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

constexpr float kRate = 0.25;

/// Makes the gradient's model one that is updated.
void makeUpdated(Model &delta, float rate) {
  delta.state(0).isGradient = false;
  delta.state(0).learningRate = rate;
}

/// The rows [X_1 X_2 ... 1].
Matrix joined(const AffineCase &c) {
  const int32_t in = c.input.cols, parts = int32_t(c.offsets.size());
  Matrix x(c.outDeriv.rows, in * parts + c.hasBias, 1);
  for (int32_t r = 0; r < x.rows; ++r)
    for (int32_t i = 0; i < in * parts; ++i)
      x.at(r, i) =
          c.input.at(int32_t(c.offsets[i / in]) + r * c.stride, i % in);
  return x;
}

/// Expects parameters scale * y^T x, the last column of x for the bias.
void expectProducts(const AffineCase &c, const Model &model, const Matrix &x,
                    const Matrix &y, double scale) {
  const int32_t width = x.cols - c.hasBias;
  std::vector<double> weights, bias;
  for (int32_t o = 0; o < y.cols; ++o)
    for (int32_t i = 0; i < x.cols; ++i) {
      double sum = 0;
      for (int32_t r = 0; r < x.rows; ++r)
        sum += double(y.at(r, o)) * x.at(r, i);
      (i < width ? weights : bias).push_back(scale * sum);
    }
  expectNear(parameterOf(model, 0), weights);
  if (c.hasBias)
    expectNear(parameterOf(model, 1), bias);
}

/// Preconditions \p x; gives its scale.
double precondition(Preconditioner &preconditioner, Matrix &x) {
  return preconditioner.precondition(
      MatrixView(x.values.data(), x.rows, x.cols, x.cols));
}

const NaturalGradient &estimate(const std::unique_ptr<Preconditioner> &of) {
  return static_cast<const NaturalGradient &>(*of);
}

void expectSameEstimate(const NaturalGradient &a, const NaturalGradient &b) {
  ASSERT_EQ(a.diagonal().size(), b.diagonal().size());
  for (size_t i = 0; i < a.diagonal().size(); ++i)
    EXPECT_NEAR(a.diagonal()[i], b.diagonal()[i], 1e-4 * b.diagonal()[i]);
}

/// The update by preconditioners that have seen rows before.
void expectPreconditionedUpdate(AffineCase c) {
  SCOPED_TRACE(c.name);
  Matrix x = joined(c), y = c.outDeriv;
  Matrix earlierX = randomMatrix(30, x.cols, 11);
  Matrix earlierY = randomMatrix(30, y.cols, 12);
  c.trial.prepare = [&](Model &, Model &delta) {
    makeUpdated(delta, kRate);
    Matrix copyX = earlierX, copyY = earlierY;
    auto &preconditioners = delta.state(0).preconditioners;
    ASSERT_EQ(preconditioners.size(), 2u);
    precondition(*preconditioners[0], copyX);
    precondition(*preconditioners[1], copyY);
  };
  const BackpropResult result = backprop(c.trial, c.input, c.outDeriv);
  const auto &options = result.model->component(0).preconditioners();
  NaturalGradient forInput(options[0]), forOutput(options[1]);
  precondition(forInput, earlierX);
  precondition(forOutput, earlierY);
  const double scale =
      kRate * precondition(forInput, x) * precondition(forOutput, y);
  expectProducts(c, *result.gradient, x, y, scale);
  const auto &preconditioners = result.gradient->state(0).preconditioners;
  expectSameEstimate(estimate(preconditioners[0]), forInput);
  expectSameEstimate(estimate(preconditioners[1]), forOutput);
}

TEST(AffineUpdateTest, IsPreconditioned) {
  for (int32_t rows : {1, 3, 50}) {
    expectPreconditionedUpdate(
        affineCase("NaturalGradientAffineComponent", rows, 7, 5));
    expectPreconditionedUpdate(affineCase("LinearComponent", rows, 7, 5));
    expectPreconditionedUpdate(tdnnCase(true, rows, 4, 5));
    expectPreconditionedUpdate(tdnnCase(false, rows, 4, 5));
  }
  expectPreconditionedUpdate(
      affineCase("NaturalGradientAffineComponent", 9, 1, 1));
}

TEST(AffineUpdateTest, IsPlainWithoutNaturalGradient) {
  std::vector<AffineCase> cases = {affineCase("AffineComponent", 6, 7, 5)};
  cases.push_back(tdnnCase(true, 6, 4, 5));
  cases.back().trial.attrs.push_back({"use_natural_gradient", false});
  for (AffineCase &c : cases) {
    SCOPED_TRACE(c.name);
    c.trial.prepare = [](Model &, Model &delta) { makeUpdated(delta, kRate); };
    const BackpropResult result = backprop(c.trial, c.input, c.outDeriv);
    EXPECT_TRUE(result.model->component(0).preconditioners().empty());
    expectProducts(c, *result.gradient, joined(c), c.outDeriv, kRate);
  }
}

/// LinearComponent does not read use_natural_gradient (golden/training, Q1).
TEST(AffineUpdateTest, LinearIsAlwaysPreconditioned) {
  AffineCase c = affineCase("LinearComponent", 6, 7, 5);
  c.trial.attrs.push_back({"use_natural_gradient", false});
  expectPreconditionedUpdate(c);
}

/// At learning rate 0 preconditioners are still updated, except those of TDNN
/// components (components.md 6.1).
TEST(AffineUpdateTest, LearningRateZero) {
  for (AffineCase &c : trainedCases()) {
    SCOPED_TRACE(c.name);
    c.trial.prepare = [](Model &, Model &delta) { makeUpdated(delta, 0); };
    const BackpropResult result = backprop(c.trial, c.input, c.outDeriv);
    for (int32_t i = 0; i < c.numParameters(); ++i)
      for (float value : parameterOf(*result.gradient, i).values)
        EXPECT_EQ(value, 0);
    for (const auto &preconditioner : result.gradient->state(0).preconditioners)
      EXPECT_EQ(estimate(preconditioner).diagonal().empty(),
                c.trial.type == "TdnnComponent");
  }
}

/// Nor does a preconditioner learn from what is not finite.
TEST(AffineUpdateTest, LearningRateZeroLetsNothingThrough) {
  for (AffineCase &c : trainedCases()) {
    SCOPED_TRACE(c.name);
    std::vector<double> learnt;
    c.trial.prepare = [&](Model &, Model &delta) {
      makeUpdated(delta, 0);
      const auto &preconditioners = delta.state(0).preconditioners;
      if (preconditioners.empty())
        return;
      Matrix earlier = randomMatrix(30, joined(c).cols, 11);
      precondition(*preconditioners[0], earlier);
      learnt = estimate(preconditioners[0]).diagonal();
    };
    c.input.at(0, 0) = std::nanf("");
    const BackpropResult result = backprop(c.trial, c.input, c.outDeriv);
    for (int32_t i = 0; i < c.numParameters(); ++i)
      for (float value : parameterOf(*result.gradient, i).values)
        EXPECT_EQ(value, 0);
    const auto &preconditioners = result.gradient->state(0).preconditioners;
    if (!preconditioners.empty())
      EXPECT_EQ(estimate(preconditioners[0]).diagonal(), learnt);
  }
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

std::unique_ptr<Model> modelOf(const AffineCase &c) {
  ProgramWriter writer;
  writer.component("c", c.trial.type, c.trial.attrs);
  return std::move(*Model::create(load(writer)));
}

TEST(AffineUpdateTest, DefaultRanks) {
  auto expectRanks = [](const AffineCase &c, int32_t in, int32_t out) {
    const auto model = modelOf(c);
    const auto &options = model->component(0).preconditioners();
    EXPECT_EQ(options[0].rank, in);
    EXPECT_EQ(options[1].rank, out);
    for (const NaturalGradientOptions &option : options) {
      EXPECT_EQ(option.updatePeriod, 4);
      EXPECT_EQ(option.numSamplesHistory, 2000);
      EXPECT_EQ(option.alpha, 4);
    }
  };
  for (const char *type :
       {"NaturalGradientAffineComponent", "LinearComponent"}) {
    expectRanks(affineCase(type, 1, 1, 1), 1, 1);
    expectRanks(affineCase(type, 1, 38, 158), 19, 79);
    expectRanks(affineCase(type, 1, 39, 159), 20, 80);
    expectRanks(affineCase(type, 1, 300, 300), 20, 80);
  }
  expectRanks(tdnnCase(true, 1, 12, 4), 18, 2);
}

TEST(AffineUpdateTest, ReadsOptions) {
  for (AffineCase c :
       {affineCase("NaturalGradientAffineComponent", 1, 9, 9),
        affineCase("LinearComponent", 1, 9, 9), tdnnCase(true, 1, 9, 9)}) {
    const bool isTdnn = c.trial.type == "TdnnComponent";
    Attrs &attrs = c.trial.attrs;
    attrs.push_back({"rank_in", 3});
    attrs.push_back({"rank_out", 5});
    attrs.push_back({isTdnn ? "alpha_in" : "alpha", 2.5});
    attrs.push_back({"num_samples_history", 700.0});
    attrs.push_back({"orthonormal_constraint", -1.0});
    attrs.push_back({"learning_rate", 0.125});
    if (!isTdnn)
      attrs.push_back({"update_period", 7});
    const auto model = modelOf(c);
    const Component &component = model->component(0);
    const auto &options = component.preconditioners();
    EXPECT_EQ(options[0].rank, 3);
    EXPECT_EQ(options[1].rank, 5);
    EXPECT_EQ(options[0].alpha, 2.5f);
    EXPECT_EQ(options[1].alpha, isTdnn ? 4.0f : 2.5f);
    EXPECT_EQ(options[1].numSamplesHistory, 700);
    EXPECT_EQ(options[1].updatePeriod, isTdnn ? 4 : 7);
    EXPECT_EQ(component.updateOptions().orthonormalConstraint, -1);
    EXPECT_EQ(component.updateOptions().learningRate, 0.125f);
  }
}

TEST(AffineUpdateTest, RefusesOptions) {
  auto error = [](const AffineCase &base, const Attr &attr) {
    ProgramWriter writer;
    Attrs attrs = base.trial.attrs;
    attrs.push_back(attr);
    writer.component("c", base.trial.type, attrs);
    return loadError(writer);
  };
  const AffineCase affine =
      affineCase("NaturalGradientAffineComponent", 1, 9, 9);
  EXPECT_EQ(error(affine, {"alpha", -1.0}),
            "component 'c' of type NaturalGradientAffineComponent expects "
            "alpha of at least 0, but got -1.000000");
  EXPECT_EQ(error(tdnnCase(true, 1, 3, 3), {"num_samples_history", 0.0}),
            "component 'c' of type TdnnComponent expects num_samples_history "
            "above 0 and up to 1e6, but got 0.000000");
  EXPECT_NE(error(affine, {"num_samples_history", 2e6}), "");
  EXPECT_NE(error(affine, {"rank_out", 0}), "");
  EXPECT_NE(error(affine, {"update_period", 0}), "");
}

} // namespace
