//===- CudaTrainerTest.cpp - Training on the fake GPU ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares many steps of one network with the CPU's trainer, with a tolerance
// that shows any missing part, and tests failing driver calls.
//
//===----------------------------------------------------------------------===//

#include "DeviceExecution.h"
#include "Networks/Case.h"
#include "Twin.h"

#include "nnet3/Execution/CudaTrainer.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;
using mlir::nnet3::CudaTrainer;
using mlir::nnet3::NnetRunner;
using mlir::nnet3::test::HostKernels;
using ::nnet3::rt::test::FakeCuda;
namespace rt = ::nnet3::rt;

namespace {

constexpr int64_t kIn = 10, kMiddle = 6, kOut = 4;

/// Draws parameters of typical initial size.
std::string drawTensor(std::mt19937 &random, std::vector<int64_t> shape) {
  std::normal_distribution<float> numbers(0, 0.4f);
  std::string text = "dense<[", type;
  const int64_t rows = shape.size() > 1 ? shape[0] : 1;
  for (int64_t r = 0; r < rows; ++r) {
    if (shape.size() > 1)
      text += r == 0 ? "[" : "], [";
    for (int64_t c = 0; c < shape.back(); ++c)
      text +=
          (c == 0 ? "" : ", ") + llvm::formatv("{0:e8}", numbers(random)).str();
  }
  for (int64_t size : shape)
    type += std::to_string(size) + "x";
  return text + (shape.size() > 1 ? "]]" : "]") + "> : tensor<" + type + "f32>";
}

/// Components that draw random numbers, and their nodes between %d and %e.
constexpr const char *kDrawing[] = {
    R"mlir(
  nnet3.dropout @elements {dim = 6, dropout_proportion = 0.3 : f32}
  nnet3.dropout @frames {dim = 6, dropout_proportion = 0.1 : f32, dropout_per_frame = true}
  nnet3.general_dropout @blocks {dim = 6, block_dim = 3, time_period = 7, dropout_proportion = 0.2 : f32}
  nnet3.general_dropout @columns {dim = 6, specaugment_max_proportion = 0.5 : f32, specaugment_max_regions = 2}
  nnet3.spec_augment_time_mask @times {dim = 6, zeroed_proportion = 0.2 : f32}
  nnet3.dropout_mask @mask {output_dim = 6, dropout_proportion = 0.2 : f32, continuous = true}
  nnet3.elementwise_product @product {input_dim = 12, output_dim = 6}
)mlir",
    R"mlir(
  %d1 = nnet3.component_node "d1" @elements(%d) : (!nnet3.rows<6>) -> !nnet3.rows<6>
  %d2 = nnet3.component_node "d2" @frames(%d1) : (!nnet3.rows<6>) -> !nnet3.rows<6>
  %d3 = nnet3.component_node "d3" @blocks(%d2) : (!nnet3.rows<6>) -> !nnet3.rows<6>
  %d4 = nnet3.component_node "d4" @columns(%d3) : (!nnet3.rows<6>) -> !nnet3.rows<6>
  %d5 = nnet3.component_node "d5" @times(%d4) : (!nnet3.rows<6>) -> !nnet3.rows<6>
  %m = nnet3.component_node "m" @mask(%d) : (!nnet3.rows<6>) -> !nnet3.rows<6>
  %both = nnet3.append %d5, %m : (!nnet3.rows<6>, !nnet3.rows<6>) -> !nnet3.rows<12>
  %drawn = nnet3.component_node "drawn" @product(%both) : (!nnet3.rows<12>) -> !nnet3.rows<6>
)mlir"};

/// Components that keep statistics and use them for self-repair.
constexpr const char *kKeeping[] = {
    R"mlir(
  nnet3.batch_norm @norm {dim = 6}
  nnet3.tanh @tanh {dim = 6, self_repair_scale = 2.0e-02 : f32, self_repair_lower_threshold = 0.6 : f32}
  nnet3.rectified_linear @relu {dim = 6, block_dim = 3, self_repair_scale = 2.0e-02 : f32, self_repair_upper_threshold = 0.4 : f32}
  nnet3.lstm_nonlinearity @lstm {cell_dim = 6, params = dense<0.1> : tensor<3x6xf32>, learning_rate_factor = 0.0 : f32}
  nnet3.elementwise_product @product {input_dim = 12, output_dim = 6}
)mlir",
    R"mlir(
  %n = nnet3.component_node "n" @norm(%d) : (!nnet3.rows<6>) -> !nnet3.rows<6>
  %t = nnet3.component_node "t" @tanh(%n) : (!nnet3.rows<6>) -> !nnet3.rows<6>
  %r = nnet3.component_node "r" @relu(%n) : (!nnet3.rows<6>) -> !nnet3.rows<6>
  %gates = nnet3.append %t, %r, %n, %t, %r : (!nnet3.rows<6>, !nnet3.rows<6>, !nnet3.rows<6>, !nnet3.rows<6>, !nnet3.rows<6>) -> !nnet3.rows<30>
  %cell = nnet3.component_node "cell" @lstm(%gates) : (!nnet3.rows<30>) -> !nnet3.rows<12>
  %drawn = nnet3.component_node "drawn" @product(%cell) : (!nnet3.rows<12>) -> !nnet3.rows<6>
)mlir"};

/// Components whose preconditioners learn at learning rate 0, and one whose
/// preconditioner does not.
constexpr const char *kPreconditioned[] = {
    R"mlir(
  nnet3.natural_gradient_repeated_affine @repeated {input_dim = 6, output_dim = 6, num_repeats = 2, linear_params = dense<0.3> : tensor<3x3xf32>, bias_params = dense<0.1> : tensor<3xf32>}
  nnet3.tdnn @tdnn {input_dim = 6, output_dim = 6, time_offsets = array<i64: 0>, linear_params = dense<0.2> : tensor<6x6xf32>, bias_params = dense<0.1> : tensor<6xf32>}
)mlir",
    R"mlir(
  %r = nnet3.component_node "r" @repeated(%d) : (!nnet3.rows<6>) -> !nnet3.rows<6>
  %t = nnet3.component_node "t" @tdnn(%r) : (!nnet3.rows<6>) -> !nnet3.rows<6>
  %drawn = nnet3.sum %d, %t : !nnet3.rows<6>
)mlir"};

/// A component whose gradient is preconditioned, and so small that what bounds
/// the estimate from below matters.
constexpr const char *kSmall[] = {
    R"mlir(
  nnet3.natural_gradient_repeated_affine @repeated {input_dim = 6, output_dim = 6, num_repeats = 2, learning_rate_factor = 1.0e+06 : f32, linear_params = dense<0.3> : tensor<3x3xf32>, bias_params = dense<0.1> : tensor<3xf32>}
  nnet3.fixed_scale @small {dim = 6, scales = dense<1.0e-06> : tensor<6xf32>}
)mlir",
    R"mlir(
  %r = nnet3.component_node "r" @repeated(%d) : (!nnet3.rows<6>) -> !nnet3.rows<6>
  %s = nnet3.component_node "s" @small(%r) : (!nnet3.rows<6>) -> !nnet3.rows<6>
  %drawn = nnet3.sum %d, %s : !nnet3.rows<6>
)mlir"};

/// A network with all parts of training steps, and two shapes of minibatches
/// with enough rows for natural gradient to be well determined. `more` are
/// additional components and their nodes.
std::string makeModule(const char *const *more = nullptr) {
  std::mt19937 random(1);
  auto tensor = [&](std::vector<int64_t> shape) {
    return drawTensor(random, std::move(shape));
  };
  std::string text = llvm::formatv(
      R"mlir(
nnet3.network @net {{
  nnet3.linear @linear {{input_dim = {0}, output_dim = {1}, orthonormal_constraint = -1.0 : f32, params = {2}}
  nnet3.natural_gradient_affine @affine {{input_dim = {1}, output_dim = {1}, max_change = 0.05 : f32, l2_regularize = 0.01 : f32, linear_params = {3}, bias_params = {4}}
  nnet3.natural_gradient_per_element_scale @scale {{dim = {1}, scales = {5}}
  nnet3.per_element_offset @offset {{dim = {1}, block_dim = 3, offsets = {6}}
  nnet3.affine @last {{input_dim = {1}, output_dim = {7}, orthonormal_constraint = 1.2 : f32, linear_params = {8}, bias_params = {9}}
)mlir",
      kIn, kMiddle, tensor({kMiddle, kIn}), tensor({kMiddle, kMiddle}),
      tensor({kMiddle}), tensor({kMiddle}), tensor({3}), kOut,
      tensor({kOut, kMiddle}), tensor({kOut}));
  if (more)
    text += more[0];
  text += R"mlir(
  %in = nnet3.input_node "input" : !nnet3.rows<10>
  %a = nnet3.component_node "a" @linear(%in) : (!nnet3.rows<10>) -> !nnet3.rows<6>
  %b = nnet3.component_node "b" @affine(%a) : (!nnet3.rows<6>) -> !nnet3.rows<6>
  %c = nnet3.component_node "c" @scale(%b) : (!nnet3.rows<6>) -> !nnet3.rows<6>
  %d = nnet3.component_node "d" @offset(%c) : (!nnet3.rows<6>) -> !nnet3.rows<6>
)mlir";
  if (more)
    text += more[1];
  text += llvm::formatv(R"mlir(
  %e = nnet3.component_node "e" @last(%{0}) : (!nnet3.rows<6>) -> !nnet3.rows<4>
  nnet3.output_node "output", %e objective quadratic : !nnet3.rows<4>
}
)mlir",
                        more ? "drawn" : "d");
  for (auto [name, last] : {std::pair("long", 29), std::pair("short", 19)})
    text += llvm::formatv(R"mlir(
nnet3.request @{0} for @net need_model_derivative store_component_stats {{
  nnet3.request_input "input" <n = 0:1, t = 0:{1}>
  nnet3.request_output "output" <n = 0:1, t = 0:{1}> deriv
}
)mlir",
                          name, last);
  return text;
}

/// A minibatch that owns its data.
struct RandomMinibatch {
  RandomMinibatch(int64_t rows, std::mt19937 &random)
      : rows(int32_t(rows)), input(rows * kIn), target(rows * kOut) {
    std::normal_distribution<float> numbers;
    for (auto *values : {&input, &target})
      for (float &value : *values)
        value = numbers(random);
  }
  rt::Minibatch get() const {
    return {{{"input", {input.data(), rows, kIn, kIn}}},
            {{"output", rt::ConstMatrixView(target.data(), rows, kOut, kOut)}}};
  }

  int32_t rows;
  std::vector<float> input, target;
};

/// Returns the parameters, or everything else.
std::vector<float> getAll(const rt::Model &model, bool statistics = false) {
  struct Reader : public rt::AttributeWriter {
    void real(const char *, double value) override {
      if (statistics)
        all.push_back(value);
    }
    void flag(const char *, bool) override {}
    void vector(const char *, const double *values, int32_t size) override {
      if (statistics)
        all.insert(all.end(), values, values + size);
    }
    void doubles(const char *name, const double *values,
                 int32_t size) override {
      vector(name, values, size);
    }
    void parameter(const char *, rt::ConstMatrixView values, bool) override {
      for (int32_t row = 0; row < values.rows && !statistics; ++row)
        all.insert(all.end(), values.row(row), values.row(row) + values.cols);
    }
    bool statistics;
    std::vector<float> all;
  } reader;
  reader.statistics = statistics;
  for (int32_t i = 0; i < model.numComponents(); ++i)
    model.exportComponent(i, reader);
  return std::move(reader.all);
}

/// Stands for another process: a sum is a number of its own, and as much as
/// this process has.
class OtherProcess : public rt::Exchange {
public:
  int32_t size() const override { return 2; }
  int32_t rank() const override { return 0; }
  void sum(float *values, int64_t count) override { add(values, count); }
  void sum(double *values, int64_t count) override { add(values, count); }
  void beginSum(float *values, int64_t count) override { add(values, count); }
  void wait() override {}

private:
  template <typename T> static void add(T *values, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      values[i] = 2 * values[i] + T(0.01) * T(i % 7);
  }
};

/// Notes how many kernels have run when each sum begins.
class WatchingTwin : public Twin {
public:
  explicit WatchingTwin(const FakeCuda &cuda) : cuda(cuda) {}

  void beginSum(float *values, int64_t count) override {
    numKernels.push_back(llvm::count_if(cuda.calls, [](llvm::StringRef call) {
      return !call.starts_with("to host");
    }));
    Twin::beginSum(values, count);
  }

  std::vector<int64_t> numKernels;

private:
  const FakeCuda &cuda;
};

/// Runs many steps of both trainers on minibatches of two shapes; then compares
/// their parameters with a small tolerance. With \p beginsAtRateZero, the first
/// third of the steps has learning rate 0.
void compareSteps(const std::string &text, const rt::TrainerOptions &options,
                  float rate = 0.05f, bool beginsAtRateZero = false,
                  bool averages = false) {
  auto context = makeContext();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, context.get());
  ASSERT_TRUE(module);
  NetworkOp network = *module->getOps<NetworkOp>().begin();
  auto interpreter = NnetRunner::create(network);
  ASSERT_TRUE(mlir::succeeded(interpreter));
  auto emulator = makeEmulator(options.seed);
  FakeCuda cuda;
  auto updates =
      HostKernels::createUpdateKernels(context.get(), emulator.get());
  ASSERT_TRUE(mlir::succeeded(updates));
  (*updates)->addTo(cuda);
  auto device = CudaTrainer::create(**interpreter, options, &cuda.getApi());
  ASSERT_TRUE(mlir::succeeded(device));
  std::vector<std::unique_ptr<HostKernels>> kernels;
  std::vector<std::shared_ptr<const rt::Program>> programs;
  for (auto request : module->getOps<RequestOp>()) {
    auto made =
        HostKernels::create(mlir::nnet3::test::copyNetwork(network, {request}),
                            {/*updates=*/true, /*optimization=*/{},
                             /*threads=*/1, options.isShared()},
                            Precision::F32, emulator.get());
    ASSERT_TRUE(mlir::succeeded(made));
    (*made)->addTo(cuda);
    kernels.push_back(std::move(*made));
    auto program = (*device)->prepare(request);
    ASSERT_TRUE(mlir::succeeded(program));
    programs.push_back(*program);
  }
  auto cpu = rt::Trainer::create(programs[0], options);
  ASSERT_TRUE(cpu.ok());
  std::mt19937 random(2);
  const std::vector<float> before = getAll((*cpu)->model());
  // Executing each thread takes long.
  const int numSteps = emulator ? 6 : 24;
  for (int i = 0; i < numSteps; ++i) {
    const float stepRate = beginsAtRateZero && i < numSteps / 3 ? 0 : rate;
    (*cpu)->setUnderlyingLearningRate(stepRate);
    (*device)->getTrainer().setUnderlyingLearningRate(stepRate);
    if (averages) {
      (*cpu)->scaleLearningRates(2);
      (*device)->scaleLearningRates(2);
    }
    // The first time, there has been no step.
    if (averages && i % 4 == 0) {
      OtherProcess other;
      (*cpu)->model().average(other, 0.5f);
      const rt::Status status = (*device)->average(other, 0.5);
      ASSERT_TRUE(status.ok()) << status.message();
    }
    const bool isShort = i % 5 == 4;
    const RandomMinibatch minibatch(isShort ? 40 : 60, random);
    auto expected = (*cpu)->train(programs[isShort], minibatch.get());
    auto actual = (*device)->train(programs[isShort], minibatch.get());
    ASSERT_TRUE(expected.ok()) << expected.status().message();
    ASSERT_TRUE(actual.ok()) << actual.status().message();
    ASSERT_EQ(actual->objectives.size(), expected->objectives.size());
    for (size_t k = 0; k < expected->objectives.size(); ++k) {
      const double value = expected->objectives[k].objective.value;
      EXPECT_NEAR(actual->objectives[k].objective.value, value,
                  1e-4 * std::fabs(value));
    }
  }
  expectNoFindings(emulator.get());
  auto model = (*device)->getModel();
  ASSERT_TRUE(model.ok()) << model.status().message();
  const std::vector<float> expected = getAll((*cpu)->model()),
                           actual = getAll(**model);
  double change = 0, error = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    change += std::pow(expected[i] - before[i], 2);
    error += std::pow(expected[i] - actual[i], 2);
  }
  EXPECT_LE(std::sqrt(error), 1e-3 * std::sqrt(change));
  const std::vector<float> sums = getAll((*cpu)->model(), /*statistics=*/true),
                           others = getAll(**model, /*statistics=*/true);
  ASSERT_EQ(sums.size(), others.size());
  for (size_t i = 0; i < sums.size(); ++i)
    EXPECT_NEAR(sums[i], others[i], 1e-3 * (1 + std::fabs(sums[i]))) << i;
  const rt::MaxChangeCounts &a = (*cpu)->maxChangeCounts(),
                            &b = (*device)->getTrainer().maxChangeCounts();
  EXPECT_EQ(a.global, b.global);
  EXPECT_EQ(a.components, b.components);
  EXPECT_GT(a.components[1], 0);
}

} // namespace

TEST(CudaTrainerTest, ManyStepsOfTwoShapes) {
  rt::TrainerOptions options;
  options.momentum = 0.3f;
  options.maxParamChange = 0.2f;
  compareSteps(makeModule(), options);
}

/// Each minibatch draws its own numbers; both halves of every second step, a
/// backstitch step, draw the same numbers.
TEST(CudaTrainerTest, RandomComponents) {
  rt::TrainerOptions options;
  options.seed = 5;
  options.maxParamChange = 0.2f;
  options.backstitchTrainingScale = 0.3f;
  options.backstitchTrainingInterval = 2;
  compareSteps(makeModule(kDrawing), options);
}

/// The orthonormal constraint in each step.
TEST(CudaTrainerTest, ZeroDraws) {
  rt::TrainerOptions options;
  options.maxParamChange = 0.2f;
  options.randomDraws = rt::RandomDraws::Zero;
  compareSteps(makeModule(), options);
}

/// No constraint and no dropout.
TEST(CudaTrainerTest, HighDraws) {
  rt::TrainerOptions options;
  options.maxParamChange = 0.2f;
  options.randomDraws = rt::RandomDraws::High;
  compareSteps(makeModule(kDrawing), options);
}

/// Statistics depend on the shapes, and are scaled like the delta.
TEST(CudaTrainerTest, Statistics) {
  rt::TrainerOptions options;
  options.momentum = 0.3f;
  options.maxParamChange = 0.2f;
  options.l2RegularizeFactor = 1;
  // With longer steps, rounding grows from one to the next.
  compareSteps(makeModule(kKeeping), options, /*rate=*/0.005f);
}

/// Later steps use what preconditioners learned at learning rate 0.
TEST(CudaTrainerTest, LearningRateZero) {
  rt::TrainerOptions options;
  options.maxParamChange = 0.2f;
  compareSteps(makeModule(kPreconditioned), options, /*rate=*/0.05f,
               /*beginsAtRateZero=*/true);
}

/// Averages are uploaded, and derived weights follow them.
TEST(CudaTrainerTest, AveragesOfProcesses) {
  rt::TrainerOptions options;
  options.momentum = 0.3f;
  options.maxParamChange = 0.2f;
  compareSteps(makeModule(), options, /*rate=*/0.01f,
               /*beginsAtRateZero=*/false, /*averages=*/true);
}

/// Delta contains momentum, which one process adds, and gradients of two
/// shapes.
TEST(CudaTrainerTest, SharedMinibatches) {
  Twin twin;
  rt::TrainerOptions options;
  options.momentum = 0.3f;
  options.maxParamChange = 0.2f;
  options.exchange = &twin;
  compareSteps(makeModule(), options, /*rate=*/0.01f);
  EXPECT_GT(twin.getNumSums(), 0);
}

/// A sum of gradients is preconditioned before it is divided.
TEST(CudaTrainerTest, SharedSmallGradients) {
  Twin twin;
  rt::TrainerOptions options;
  options.maxParamChange = 0.2f;
  options.exchange = &twin;
  compareSteps(makeModule(kSmall), options, /*rate=*/0.01f);
}

namespace {

/// What training on makeModule()'s first request needs.
struct OneShape {
  explicit OneShape(bool isShared)
      : network(*module->getOps<NetworkOp>().begin()),
        request(*module->getOps<RequestOp>().begin()),
        interpreter(NnetRunner::create(network)),
        updates(HostKernels::createUpdateKernels(context.get())),
        kernels(HostKernels::create(
            mlir::nnet3::test::copyNetwork(network, {request}),
            {/*updates=*/true, /*optimization=*/{}, /*threads=*/1, isShared})) {
  }

  bool isComplete() const {
    return mlir::succeeded(interpreter) && mlir::succeeded(updates) &&
           mlir::succeeded(kernels);
  }
  void addTo(FakeCuda &cuda) const {
    (*updates)->addTo(cuda);
    (*kernels)->addTo(cuda);
  }

  decltype(makeContext()) context = makeContext();
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(makeModule(), context.get());
  NetworkOp network;
  RequestOp request;
  mlir::FailureOr<std::unique_ptr<NnetRunner>> interpreter;
  mlir::FailureOr<std::unique_ptr<HostKernels>> updates, kernels;
  std::mt19937 random{3};
  RandomMinibatch minibatch{60, random};
};

} // namespace

/// The sum of a gradient begins before the device computes the last ones.
TEST(CudaTrainerTest, SumsOverlapTheBackwardPass) {
  const OneShape shape(/*isShared=*/true);
  ASSERT_TRUE(shape.isComplete());
  FakeCuda cuda;
  cuda.isLate = true;
  shape.addTo(cuda);
  WatchingTwin twin(cuda);
  rt::TrainerOptions options;
  options.exchange = &twin;
  auto device =
      CudaTrainer::create(**shape.interpreter, options, &cuda.getApi());
  ASSERT_TRUE(mlir::succeeded(device));
  auto program = (*device)->prepare(shape.request);
  ASSERT_TRUE(mlir::succeeded(program));
  ASSERT_TRUE((*device)->train(*program, shape.minibatch.get()).ok());
  ASSERT_EQ(twin.numKernels.size(), 7u);
  // Behind the gradients of each component, more kernels run.
  EXPECT_LT(twin.numKernels[1], twin.numKernels[2]);
  EXPECT_LT(twin.numKernels[2], twin.numKernels[3]);
  EXPECT_LT(twin.numKernels[3], twin.numKernels[4]);
  EXPECT_LT(twin.numKernels[5], twin.numKernels[6]);
}

/// Lets every call number `stride` of the driver or cuBLAS fail in turn, at
/// first none.
static void expectErrors(bool isShared, int64_t stride) {
  const OneShape shape(isShared);
  ASSERT_TRUE(shape.isComplete());
  mlir::ScopedDiagnosticHandler quiet(
      shape.context.get(), [](mlir::Diagnostic &) { return mlir::success(); });
  int64_t numCalls = 0, numFailed = 0;
  for (int64_t failing = -1; failing < numCalls; failing += stride) {
    FakeCuda cuda;
    shape.addTo(cuda);
    cuda.removeBlasLt(); // whose failures are no errors
    cuda.failingCall = failing;
    Twin twin;
    rt::TrainerOptions options;
    if (isShared)
      options.exchange = &twin;
    bool succeeds = false;
    {
      auto device =
          CudaTrainer::create(**shape.interpreter, options, &cuda.getApi());
      if (mlir::succeeded(device))
        if (auto program = (*device)->prepare(shape.request);
            mlir::succeeded(program))
          succeeds = (*device)->train(*program, shape.minibatch.get()).ok() &&
                     (*device)->getModel().ok();
      if (failing < 0)
        numCalls = cuda.numCalls;
    }
    EXPECT_EQ(succeeds, !cuda.hasFailed) << failing;
    numFailed += cuda.hasFailed;
    EXPECT_EQ(cuda.numAlive, 0) << failing;
  }
  EXPECT_GT(numFailed, 15);
}

TEST(CudaTrainerTest, EachFailureIsAnError) {
  expectErrors(/*isShared=*/false, /*stride=*/7);
}

TEST(CudaTrainerTest, EachFailureOfSharedMinibatchesIsAnError) {
  expectErrors(/*isShared=*/true, /*stride=*/23);
}
