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

} // namespace
