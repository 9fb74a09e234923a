//===- RoundWeightsTest.cpp - Rounding weights to fewer bits --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Surgery/RoundWeights.h"
#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"
#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/bit.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <random>

using namespace mlir;
using namespace mlir::nnet3;

namespace {

constexpr int64_t kRows = 8, kColumns = 160;
constexpr StringRef kName = "params";

class RoundWeightsTest : public ::testing::Test {
protected:
  RoundWeightsTest() {
    context.loadDialect<Nnet3Dialect>();
    context.getDiagEngine().registerHandler([&](Diagnostic &diagnostic) {
      message = diagnostic.str();
      return success();
    });
    std::normal_distribution<float> normal;
    for (int64_t i = 0; i < kRows * kColumns; ++i)
      weights.push_back(normal(random));
    OpBuilder builder(&context);
    module = ModuleOp::create(builder, builder.getUnknownLoc());
    builder.setInsertionPointToStart(module->getBody());
    OperationState state(builder.getUnknownLoc(), "nnet3.linear");
    state.addAttribute("sym_name", builder.getStringAttr("map"));
    state.addAttribute("input_dim", builder.getI64IntegerAttr(kColumns));
    state.addAttribute("output_dim", builder.getI64IntegerAttr(kRows));
    auto type = RankedTensorType::get({kRows, kColumns}, builder.getF32Type());
    state.addAttribute(kName,
                       DenseElementsAttr::get(type, ArrayRef<float>(weights)));
    component = builder.create(state);
  }

  /// The rounded weights; none with an error.
  std::vector<float> round(const DoubleMatrix &moments, WeightGrid grid) {
    auto rounded = roundWeights(component, kName, moments, grid);
    if (failed(rounded))
      return {};
    if (auto given = dyn_cast<DenseElementsAttr>(*rounded))
      return {given.value_begin<float>(), given.value_end<float>()};
    return cast<DenseF32ResourceElementsAttr>(*rounded)
        .tryGetAsArrayRef()
        ->vec();
  }

  /// E|(W' - W) x|^2 for all rows.
  double getError(ArrayRef<float> rounded, const DoubleMatrix &moments) const {
    double error = 0;
    for (int64_t r = 0; r < kRows; ++r)
      for (int64_t i = 0; i < kColumns; ++i)
        for (int64_t j = 0; j < kColumns; ++j)
          error += getDifference(rounded, r, i) * moments(i, j) *
                   getDifference(rounded, r, j);
    return error;
  }

  double getDifference(ArrayRef<float> rounded, int64_t row,
                       int64_t column) const {
    const int64_t i = row * kColumns + column;
    return double(rounded[i]) - double(weights[i]);
  }

  /// Moments of inputs of which a few numbers say almost all.
  DoubleMatrix drawMoments() {
    constexpr int64_t kFactors = 12;
    std::normal_distribution<double> normal;
    DoubleMatrix factors(kFactors, kColumns), moments(kColumns, kColumns);
    for (double &value : factors.data)
      value = normal(random);
    for (int64_t i = 0; i < kColumns; ++i) {
      for (int64_t j = 0; j < kColumns; ++j)
        for (int64_t f = 0; f < kFactors; ++f)
          moments(i, j) += factors(f, i) * factors(f, j);
      moments(i, i) += 0.05;
    }
    return moments;
  }

  static DoubleMatrix getIdentity() {
    DoubleMatrix moments(kColumns, kColumns);
    for (int64_t i = 0; i < kColumns; ++i)
      moments(i, i) = 1;
    return moments;
  }

  /// The nearest int8 weights.
  std::vector<float> getNearest() const {
    std::vector<float> nearest;
    for (int64_t r = 0; r < kRows; ++r) {
      ArrayRef<float> row = ArrayRef(weights).slice(r * kColumns, kColumns);
      const float scale = getScale(row);
      for (float value : row)
        nearest.push_back(std::nearbyint(value / scale) * scale);
    }
    return nearest;
  }

  static float getScale(ArrayRef<float> row) {
    float largest = 0;
    for (float value : row)
      largest = std::max(largest, std::abs(value));
    return largest / 127;
  }

  std::mt19937 random{1};
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  Operation *component = nullptr;
  std::vector<float> weights;
  std::string message;
};

} // namespace

/// Uncorrelated columns are rounded independently.
TEST_F(RoundWeightsTest, IndependentColumns) {
  const std::vector<float> rounded = round(getIdentity(), WeightGrid::Int8);
  const std::vector<float> nearest = getNearest();
  ASSERT_EQ(rounded.size(), nearest.size());
  for (auto [a, b] : llvm::zip_equal(rounded, nearest))
    EXPECT_NEAR(a, b, 1e-6);
}

/// A library rounds to the same integers again.
TEST_F(RoundWeightsTest, Int8StaysTheSame) {
  const std::vector<float> rounded = round(drawMoments(), WeightGrid::Int8);
  ASSERT_EQ(rounded.size(), weights.size());
  for (int64_t r = 0; r < kRows; ++r) {
    ArrayRef<float> row = ArrayRef(rounded).slice(r * kColumns, kColumns);
    const float scale = getScale(row);
    EXPECT_NEAR(
        scale, getScale(ArrayRef(weights).slice(r * kColumns, kColumns)), 1e-6);
    for (float value : row)
      EXPECT_NEAR(value / scale, std::nearbyint(value / scale), 1e-4);
  }
}

TEST_F(RoundWeightsTest, SmallerErrorOfOutputs) {
  const DoubleMatrix moments = drawMoments();
  const double nearest = getError(getNearest(), moments);
  EXPECT_LT(getError(round(moments, WeightGrid::Int8), moments), nearest / 4);
}

TEST_F(RoundWeightsTest, Bf16) {
  const DoubleMatrix moments = drawMoments();
  const std::vector<float> rounded = round(moments, WeightGrid::BF16);
  const std::vector<float> nearest = round(getIdentity(), WeightGrid::BF16);
  ASSERT_EQ(rounded.size(), weights.size());
  for (float value : rounded)
    EXPECT_EQ(llvm::bit_cast<uint32_t>(value) & 0xffff, 0u);
  EXPECT_LT(getError(rounded, moments), getError(nearest, moments) / 4);
}

/// Without moments, weights stay unchanged.
TEST_F(RoundWeightsTest, NoMoments) {
  EXPECT_EQ(round(DoubleMatrix(kColumns, kColumns), WeightGrid::Int8), weights);
}

TEST_F(RoundWeightsTest, WrongMoments) {
  EXPECT_TRUE(round(DoubleMatrix(3, 3), WeightGrid::Int8).empty());
  EXPECT_EQ(message, "expects moments of the inputs of 'map' of 160 x 160, but "
                     "got 3 x 3");
  DoubleMatrix moments = getIdentity();
  moments(7, 7) = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(round(moments, WeightGrid::Int8).empty());
  EXPECT_EQ(message, "the moments of the inputs of 'map' are not finite");
}
