//===- CompiledStepTest.cpp - Steps between functions of machine code -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/runtime/CompiledStep.h"
#include "TrainerTesting.h"
#include "nnet3/runtime/Exchange.h"

#include <string>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

/// What has happened, in order.
std::vector<std::string> events;

/// The other process has the same gradients as this one. Sums are complete at
/// once, so what is added to them later shows.
class TwinExchange : public Exchange {
public:
  int32_t size() const override { return 2; }
  int32_t rank() const override { return 0; }
  void sum(float *values, int64_t count) override { twice(values, count); }
  void sum(double *values, int64_t count) override { twice(values, count); }
  void beginSum(float *values, int64_t count) override {
    events.push_back("sum of " + std::to_string(count));
    twice(values, count);
  }
  void wait() override { events.emplace_back("wait"); }

private:
  template <typename T> static void twice(T *values, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      values[i] *= 2;
  }
};

constexpr int32_t kInner = 5;
constexpr uint64_t kSizes[] = {kInner * kOut, kOut, kIn *kInner, kInner};

/// Writes gradients `first` and the next one: i + 1 to each element of i.
template <int first>
void writeGradients(float *arena, const float *, const int32_t *, void *) {
  events.push_back("function " + std::to_string(first));
  for (int i = 0; i < first + 2; ++i) {
    if (i >= first)
      std::fill_n(arena, kSizes[i], float(i + 1));
    arena += kSizes[i];
  }
}

/// Code for two affine maps, which writes all gradients; steps complete all of
/// them but the last one.
std::shared_ptr<CompiledStep> makeCode() {
  auto code = std::make_shared<CompiledStep>();
  const char *names[][2] = {{"second", "linear_params"},
                            {"second", "bias_params"},
                            {"first", "linear_params"},
                            {"first", "bias_params"}};
  for (size_t i = 0; i < 4; ++i) {
    code->gradients.push_back(
        {names[i][0], names[i][1], code->arenaFloats, kSizes[i]});
    code->arenaFloats += kSizes[i];
  }
  code->steps.resize(5);
  code->steps[0].function = writeGradients<0>;
  code->steps[1].gradient = 0;
  code->steps[2].gradient = 1;
  code->steps[3].function = writeGradients<2>;
  code->steps[4].gradient = 2;
  return code;
}

TEST(CompiledStepTest, SumsGradientsDuringTheBackwardPass) {
  auto program = componentsOnly(
      {affineLayer("first", kIn, kInner, 1, {{"learning_rate", 0.5}}),
       affineLayer("second", kInner, kOut, 2, {{"learning_rate", 0.25}})});
  auto model = Model::create(program), gradient = Model::create(program);
  ASSERT_TRUE(model.ok() && gradient.ok());
  (*gradient)->setZero();
  TwinExchange exchange;
  InstanceOptions options;
  options.model = model->get();
  options.gradient = gradient->get();
  for (bool isShared : {false, true}) {
    options.exchange = isShared ? &exchange : nullptr;
    auto steps = CompiledSteps::create(makeCode(), program, options);
    ASSERT_TRUE(steps.ok()) << steps.status().message();
    for (int run = 0; run < 2; ++run) {
      (*gradient)->setZero();
      events.clear();
      const Status status = (*steps)->run();
      ASSERT_TRUE(status.ok()) << status.message();
      const std::vector<std::string> alone = {"function 0", "function 2"};
      const std::vector<std::string> shared = {
          "function 0", "sum of 20", "sum of 4", "function 2",
          "sum of 30",  "sum of 5",  "wait"};
      EXPECT_EQ(events, isShared ? shared : alone);
      const float count = isShared ? 2 : 1;
      for (int32_t component : {0, 1}) {
        const std::vector<float> values = parametersOf(**gradient, component);
        const float rate = component == 0 ? 0.5f : 0.25f;
        const size_t first = component == 0 ? 2 : 0;
        for (size_t i = 0; i < values.size(); ++i)
          EXPECT_EQ(values[i],
                    count * rate * float(first + 1 + (i >= kSizes[first])));
      }
    }
  }
}

constexpr int32_t kProductRows = 40, kProductIn = 3, kProductOut = 9;
/// Offsets of Y, X, the basis, the sums and the gradient in the arena.
constexpr uint64_t kY = 0, kX = kY + kProductRows * kProductOut,
                   kBasis = kX + kProductRows * kProductIn,
                   kSums = kBasis + kProductOut * kProductOut,
                   kGradient = kSums + kProductOut * kProductIn,
                   kEnd = kGradient + kProductOut * kProductIn;
int32_t theRank = 0;

/// Draws Y and X.
template <int seed>
void drawRows(float *arena, const float *, const int32_t *, void *) {
  const Matrix y = randomMatrix(kProductRows, kProductOut, seed),
               x = randomMatrix(kProductRows, kProductIn, seed + 100);
  std::copy_n(y.view().data, kX - kY, arena + kY);
  std::copy_n(x.view().data, kBasis - kX, arena + kX);
}

/// gradient += y^T x + basis^T sums.
void addProduct(ConstMatrixView y, ConstMatrixView x, ConstMatrixView basis,
                ConstMatrixView sums, double scale, float *gradient) {
  for (int32_t i = 0; i < y.cols; ++i)
    for (int32_t j = 0; j < x.cols; ++j) {
      double sum = 0;
      for (int32_t r = 0; r < y.rows; ++r)
        sum += double(y.row(r)[i]) * x.row(r)[j];
      for (int32_t r = 0; r < basis.rows; ++r)
        sum += double(basis.row(r)[i]) * sums.row(r)[j];
      gradient[i * x.cols + j] += static_cast<float>(scale * sum);
    }
}

template <bool isFirst>
void multiplyRows(float *arena, const float *, const int32_t *, void *) {
  auto view = [&](uint64_t place, int32_t rows, int32_t cols) {
    return ConstMatrixView(arena + place, rows, cols, cols);
  };
  if (isFirst)
    std::fill_n(arena + kGradient, kEnd - kGradient, 0.0f);
  addProduct(view(kY, kProductRows, kProductOut),
             view(kX, kProductRows, kProductIn),
             view(kBasis, theRank, kProductOut),
             view(kSums, theRank, kProductIn), 1, arena + kGradient);
}

/// The gradient of one product is scaled at the end. Of two products, rows are
/// scaled.
TEST(CompiledStepTest, ScalesOfProducts) {
  auto program = componentsOnly({affineLayer(
      "layer", kProductIn, kProductOut, 1, {{"learning_rate", 0.5}},
      "NaturalGradientAffineComponent")});
  for (int numProducts : {1, 2}) {
    auto model = Model::create(program), gradient = Model::create(program),
         other = Model::create(program);
    ASSERT_TRUE(model.ok() && gradient.ok() && other.ok());
    Preconditioner &preconditioner = *(*other)->state(0).preconditioners[1];
    theRank = preconditioner.rank(kProductOut);
    auto code = std::make_shared<CompiledStep>();
    code->arenaFloats = kEnd;
    code->gradients = {{"layer", "linear_params", kGradient, kEnd - kGradient}};
    const CompiledStep::Function functions[][2] = {
        {drawRows<1>, multiplyRows<true>}, {drawRows<2>, multiplyRows<false>}};
    for (int i = 0; i < numProducts; ++i) {
      CompiledStep::Step product;
      product.component = "layer";
      product.number = 1;
      product.place = kY;
      product.rows = kProductRows;
      product.cols = product.stride = kProductOut;
      product.product = {kX, kProductIn, kProductIn, kBasis, kSums, theRank};
      CompiledStep::Step before, after;
      before.function = functions[i][0];
      after.function = functions[i][1];
      for (const CompiledStep::Step &step : {before, product, after})
        code->steps.push_back(step);
    }
    InstanceOptions options;
    options.model = model->get();
    options.gradient = gradient->get();
    auto steps = CompiledSteps::create(code, program, options);
    ASSERT_TRUE(steps.ok()) << steps.status().message();
    for (int run = 0; run < 3; ++run) {
      (*gradient)->setZero();
      const Status status = (*steps)->run();
      ASSERT_TRUE(status.ok()) << status.message();
      std::vector<float> expected(kEnd - kGradient), arena(kEnd);
      for (int i = 0; i < numProducts; ++i) {
        (i == 0 ? drawRows<1> : drawRows<2>)(arena.data(), nullptr, nullptr,
                                             nullptr);
        const MatrixView y(arena.data() + kY, kProductRows, kProductOut,
                           kProductOut),
            x(arena.data() + kX, kProductRows, kProductIn, kProductIn);
        const PreconditionedProduct result =
            preconditioner.preconditionProduct(y, x);
        EXPECT_NE(result.scale, 1);
        addProduct(y, x, {}, {}, result.scale, expected.data());
        addProduct({nullptr, 0, kProductOut, kProductOut},
                   {nullptr, 0, kProductIn, kProductIn}, result.basis,
                   result.sums, -result.scale, expected.data());
      }
      const std::vector<float> values = parametersOf(**gradient, 0);
      for (size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(values[i], 0.5f * expected[i], 1e-4) << i;
    }
  }
}

/// Offsets of the parameters of layer "layer", which has kProductIn x
/// kProductOut weights, and of numbers in the arena.
constexpr uint64_t kBias = 32, kConstants = 8, kDerived = kConstants + 2,
                   kCopies = 16;

/// Copies the weights and the numbers that derive from them.
void copyWeights(float *arena, const float *weights, const int32_t *, void *) {
  std::copy_n(weights, kBias + kProductOut, arena + kCopies);
  std::copy_n(arena + kConstants, 4, arena);
}

/// Code for one affine map, of which weight 5 is also read behind two
/// constants.
std::shared_ptr<CompiledStep> makeReader() {
  auto code = std::make_shared<CompiledStep>();
  code->arenaFloats = kCopies + kBias + kProductOut;
  code->parameters = {{"layer", "linear_params", 0, kProductIn * kProductOut},
                      {"layer", "bias_params", kBias, kProductOut}};
  code->weights.assign(52, -1);
  code->weights[48] = 7;
  code->weights[49] = 8;
  code->constants = {48, kConstants, 4};
  code->derived = {{kDerived, {5, 5}, 0}};
  code->outputs = {{"read", 0, 1, 4}, {"copies", kCopies, 1, kBias}};
  code->steps.resize(1);
  code->steps[0].function = copyWeights;
  return code;
}

/// The code reads the parameters that the model has in each run; constants
/// stay.
TEST(CompiledStepTest, ReadsParametersWhereTheyAre) {
  auto program =
      componentsOnly({affineLayer("layer", kProductIn, kProductOut, 1)});
  auto model = Model::create(program);
  ASSERT_TRUE(model.ok());
  InstanceOptions options;
  options.model = model->get();
  auto steps = CompiledSteps::create(makeReader(), program, options);
  ASSERT_TRUE(steps.ok()) << steps.status().message();
  for (int run = 0; run < 2; ++run) {
    ASSERT_TRUE((*steps)->run().ok());
    const std::vector<float> values = parametersOf(**model, 0);
    const ConstMatrixView read = *(*steps)->output("read"),
                          copies = *(*steps)->output("copies");
    EXPECT_EQ(std::vector<float>(read.data, read.data + 4),
              (std::vector<float>{7, 8, values[5], values[5]}));
    for (int32_t i = 0; i < kProductIn * kProductOut; ++i)
      EXPECT_EQ(copies.data[i], values[i]);
    for (int32_t i = 0; i < kProductOut; ++i)
      EXPECT_EQ(copies.data[kBias + i], values[kProductIn * kProductOut + i]);
    (*model)->scale(2);
  }
  const uint64_t bytes = (*steps)->bytes();

  // Without a model, the code has its own.
  auto alone = CompiledSteps::create(makeReader(), nullptr);
  ASSERT_TRUE(alone.ok());
  ASSERT_TRUE((*alone)->run().ok());
  EXPECT_EQ((*alone)->output("copies")->data[5], -1);
  EXPECT_EQ((*alone)->bytes(), bytes + 52 * sizeof(float));

  auto shifted = makeReader();
  shifted->parameters[1].place += 16;
  EXPECT_EQ(
      CompiledSteps::create(shifted, program, options).status().message(),
      "the model has no parameters of component 'layer' as the code has them");
}

} // namespace
