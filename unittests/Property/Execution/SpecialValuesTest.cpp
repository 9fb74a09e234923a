//===- SpecialValuesTest.cpp - NaN, infinities and tiny numbers -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference's cases of all component types with special values in their
// inputs, or in the derivatives of their outputs. CPU code and GPU kernels give
// the same results as the interpreter, and the interpreter never turns a NaN
// into a number.
//
//===----------------------------------------------------------------------===//

#include "DeviceExecution.h"
#include "GoldenRun.h"

#include "nnet3/Execution/CudaRunner.h"

#include <set>

using namespace mlir::nnet3::property;
using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using mlir::nnet3::RequestInstance;
using mlir::nnet3::test::HostKernels;
using ::nnet3::kaldi::Matrix;
using ::nnet3::rt::test::FakeCuda;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

struct SpecialValue {
  const char *name;
  float value;
};
constexpr SpecialValue kSpecialValues[] = {{"NaN", kNaN},
                                           {"infinity", kInfinity},
                                           {"-infinity", -kInfinity},
                                           {"a denormal", 1e-40f},
                                           {"-0", -0.0f}};

/// The special elements of a matrix.
struct Placement {
  const char *name;
  bool (*holds)(int64_t row, int64_t column, const Matrix &matrix);
};
constexpr Placement kPlacements[] = {
    {"the first column of every third row",
     [](int64_t row, int64_t column, const Matrix &) {
       return column == 0 && row % 3 == 0;
     }},
    {"the last element",
     [](int64_t row, int64_t column, const Matrix &matrix) {
       return column == matrix.cols - 1 && row == matrix.rows - 1;
     }},
    {"the second row",
     [](int64_t row, int64_t, const Matrix &) { return row == 1; }},
    {"a column",
     [](int64_t, int64_t column, const Matrix &matrix) {
       return column == matrix.cols / 2;
     }},
    {"all elements", [](int64_t, int64_t, const Matrix &) { return true; }}};

} // namespace

/// Calls `check` with each of `values` in the operands that `isPlaced` selects.
static void
forEachVariant(GoldenCase &test, llvm::ArrayRef<SpecialValue> values,
               llvm::function_ref<bool(const Operand &)> isPlaced,
               llvm::function_ref<void(const std::string &)> check) {
  const std::vector<Operand> original = test.operands;
  for (const SpecialValue &special : values)
    for (const Placement &placement : kPlacements) {
      for (Operand &operand : test.operands)
        for (int64_t row = 0; row < operand.values.rows; ++row)
          for (int64_t c = 0; c < operand.values.cols; ++c)
            if (isPlaced(operand) && placement.holds(row, c, operand.values))
              operand.values(row, c) = special.value;
      check(std::string(special.name) + " in " + placement.name);
      test.operands = original;
    }
}

namespace {

class SpecialValuesTest : public ::testing::TestWithParam<std::string> {
protected:
  void SetUp() override {
    test = loadGoldenCase(GetParam());
    ASSERT_TRUE(test);
  }

  /// Compares forward passes of all backends.
  void checkForward(llvm::ArrayRef<SpecialValue> values, Agreement agreement);
  /// A GPU that is not there, with the kernels of the request.
  void makeDevice() {
    emulator = makeEmulator(/*seed=*/1);
    auto made = HostKernels::create(
        mlir::nnet3::test::copyNetwork(test->network, {test->request}),
        {/*updates=*/false, options.optimization}, Precision::F32,
        emulator.get());
    ASSERT_TRUE(mlir::succeeded(made));
    kernels = std::move(*made);
    kernels->addTo(cuda);
    auto runner =
        mlir::nnet3::CudaRunner::create(test->network, options, &cuda.getApi());
    ASSERT_TRUE(mlir::succeeded(runner));
    deviceRunner = std::move(*runner);
    auto instance = deviceRunner->makeInstance(test->request);
    ASSERT_TRUE(mlir::succeeded(instance));
    device = std::move(*instance);
  }

  std::unique_ptr<GoldenCase> test;
  mlir::nnet3::NativeOptions options;
  std::unique_ptr<mlir::nnet3::test::GpuEmulator> emulator;
  FakeCuda cuda;
  std::unique_ptr<HostKernels> kernels;
  std::unique_ptr<mlir::nnet3::CudaRunner> deviceRunner;
  std::unique_ptr<RequestInstance> device;
};

class SpecialValuesOfNetworksTest : public SpecialValuesTest {};

} // namespace

void SpecialValuesTest::checkForward(llvm::ArrayRef<SpecialValue> values,
                                     Agreement agreement) {
  ASSERT_TRUE(makeForward(*test));
  auto interpreter = mlir::nnet3::NnetRunner::create(test->network);
  auto native = mlir::nnet3::NativeRunner::create(test->network);
  ASSERT_TRUE(mlir::succeeded(interpreter) && mlir::succeeded(native));
  auto expecting = (*interpreter)->makeInstance(test->request);
  auto code = (*native)->makeInstance(test->request);
  ASSERT_TRUE(mlir::succeeded(expecting) && mlir::succeeded(code));
  makeDevice();
  ASSERT_FALSE(HasFatalFailure());
  forEachVariant(
      *test, values, [](const Operand &) { return true; },
      [&](const std::string &what) {
        const Results expected = runForward(**expecting, *test);
        EXPECT_EQ(
            compareResults(runForward(**code, *test), expected, agreement), "")
            << what << ", native";
        EXPECT_EQ(
            compareResults(runForward(*device, *test), expected, agreement), "")
            << what << ", device";
      });
  expectNoFindings(emulator.get());
}

TEST_P(SpecialValuesTest, Forward) {
  // A sum of zeros is -0 only if nothing else is added, as the 0 that it may
  // begin with.
  const llvm::StringRef name = GetParam();
  const bool addsUp =
      name.contains("SumGroup") || name.contains("Nonlinearity");
  checkForward(kSpecialValues, {1e-4, /*zeroSigns=*/!addsUp});
}

/// Fusion changes the order of summation, and with it the results of
/// infinities, but NaN stays NaN.
TEST_P(SpecialValuesOfNetworksTest, NaN) {
  checkForward({{"NaN", kNaN}}, {1e-3, /*zeroSigns=*/false});
}

/// If an element of an operand affects an element of an output, or of an input
/// derivative, NaN in the operand makes that element NaN. With `isExact`, NaN
/// affects no other elements.
static void
checkThatNaNSpreads(GoldenCase &test,
                    llvm::function_ref<bool(const Operand &)> isPlaced,
                    llvm::function_ref<Results()> run, bool isExact) {
  const Results before = run();
  for (Operand &operand : test.operands) {
    if (!isPlaced(operand))
      continue;
    for (float &place : operand.values.data) {
      const float original = place;
      std::vector<Results> others;
      for (float other : {original + 1, -original, 1e3f, -1e3f}) {
        place = other;
        others.push_back(run());
      }
      place = kNaN;
      const Results results = run();
      place = original;
      for (const auto &entry : before)
        for (size_t i = 0; i < entry.second.size(); ++i) {
          auto get = [&](const Results &of) { return of.at(entry.first)[i]; };
          const bool depends = llvm::any_of(others, [&](const Results &other) {
            return get(other) != get(before);
          });
          if (!isOfModel(entry.first) && (depends || isExact))
            EXPECT_EQ(std::isnan(get(results)), depends)
                << entry.first << "[" << i << "] of element "
                << &place - operand.values.data.data() << " of "
                << operand.node;
        }
    }
  }
}

TEST_P(SpecialValuesTest, NaNSpreadsForward) {
  ASSERT_TRUE(makeForward(*test));
  auto interpreter = mlir::nnet3::NnetRunner::create(test->network);
  ASSERT_TRUE(mlir::succeeded(interpreter));
  auto instance = (*interpreter)->makeInstance(test->request);
  ASSERT_TRUE(mlir::succeeded(instance));
  checkThatNaNSpreads(
      *test, [](const Operand &) { return true; },
      [&] { return runForward(**instance, *test); }, /*isExact=*/true);
}

/// Missing rows are zeros, and zero times NaN is NaN.
TEST_P(SpecialValuesTest, NaNSpreadsBackward) {
  auto interpreter = mlir::nnet3::NnetRunner::create(test->network);
  ASSERT_TRUE(mlir::succeeded(interpreter));
  auto program = (*interpreter)->load(test->request);
  ASSERT_TRUE(mlir::succeeded(program));
  InterpreterTraining training(**interpreter, test->request.getLoc(), *program);
  checkThatNaNSpreads(
      *test, [](const Operand &operand) { return operand.isDerivative; },
      [&] { return training.run(*test); }, /*isExact=*/false);
}

TEST_P(SpecialValuesTest, Backward) {
  auto interpreter = mlir::nnet3::NnetRunner::create(test->network);
  ASSERT_TRUE(mlir::succeeded(interpreter));
  auto program = (*interpreter)->load(test->request);
  ASSERT_TRUE(mlir::succeeded(program));
  makeDevice();
  ASSERT_FALSE(HasFatalFailure());
  const Agreement agreement = {1e-3, /*zeroSigns=*/false};
  InterpreterTraining expected(**interpreter, test->request.getLoc(), *program);
  DeviceTraining actual(std::move(device), *program);
  for (bool inDerivatives : {false, true})
    forEachVariant(
        *test, kSpecialValues,
        [&](const Operand &operand) {
          return operand.isDerivative == inDerivatives;
        },
        [&](const std::string &what) {
          EXPECT_EQ(
              compareResults(actual.run(*test), expected.run(*test), agreement),
              "")
              << what << " of " << (inDerivatives ? "derivatives" : "inputs");
        });
  expectNoFindings(emulator.get());
}

TEST(SpecialValues, AllComponentTypes) {
  std::set<llvm::StringRef> types;
  const std::vector<std::string> names = getGoldenCases("components");
  for (llvm::StringRef name : names)
    types.insert(name.split('-').first);
  EXPECT_EQ(types.size(), 46u);
}

static std::string getName(const ::testing::TestParamInfo<std::string> &info) {
  std::string name = info.param.substr(info.param.find('/') + 1);
  llvm::replace(name, '-', '_');
  llvm::replace(name, '/', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Components, SpecialValuesTest,
                         ::testing::ValuesIn(getGoldenCases("components")),
                         getName);
INSTANTIATE_TEST_SUITE_P(Recipes, SpecialValuesOfNetworksTest,
                         ::testing::ValuesIn(getGoldenCases("recipes")),
                         getName);
INSTANTIATE_TEST_SUITE_P(Networks, SpecialValuesOfNetworksTest,
                         ::testing::ValuesIn(getGoldenCases("networks")),
                         getName);
