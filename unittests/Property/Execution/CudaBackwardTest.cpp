//===- CudaBackwardTest.cpp - Derivatives on the fake GPU -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares backward passes of nnet3-run --backend=cuda, on a fake driver as in
// CudaTest, with those of the interpreter: outputs, derivatives of inputs,
// gradients, and the statistics that both passes keep.
//
//===----------------------------------------------------------------------===//

#include "BackwardRuns.h"
#include "DeviceExecution.h"
#include "Networks/RandomComponents.h"
#include "Optimize/OptimizePasses.h"
#include "PropertyTest.h"

#include "nnet3/Execution/CudaRunner.h"
#include "nnet3/Pipelines/DeviceCode.h"

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;
using ::nnet3::rt::test::FakeCuda;

namespace {

class CudaBackwardTest : public PropertyTest {
protected:
  CudaBackwardTest() : PropertyTest(/*training=*/true) {}
};

/// Uses memory compression at `level`, which the interpreter's computation has
/// only if it is optimised.
void compareOnDevice(const Case &test, ComputationOp computation, bool changes,
                     int32_t level, double tolerance,
                     const mlir::nnet3::test::HostKernels &kernels) {
  mlir::nnet3::NativeOptions options;
  options.optimization = getDeviceOptimization(level);
  FakeCuda cuda;
  kernels.addTo(cuda);
  auto runner = mlir::nnet3::CudaRunner::create(test.getNetworkOp(), options,
                                                &cuda.getApi());
  ASSERT_TRUE(mlir::succeeded(runner));
  auto instance = (*runner)->makeInstance(test.getRequestOp());
  ASSERT_TRUE(mlir::succeeded(instance));
  compareRuns(test, computation, **instance, changes, tolerance);
}

void compareOnDevice(const Case &test, ComputationOp computation, bool changes,
                     int32_t level = 1, double tolerance = 1e-4) {
  auto emulator = makeEmulator(test.getSeed());
  auto kernels = mlir::nnet3::test::HostKernels::create(
      mlir::nnet3::test::copyNetwork(test.getNetworkOp(),
                                     {test.getRequestOp()}),
      {/*updates=*/false, getDeviceOptimization(level)}, Precision::F32,
      emulator.get());
  ASSERT_TRUE(mlir::succeeded(kernels));
  compareOnDevice(test, computation, changes, level, tolerance, **kernels);
  expectNoFindings(emulator.get());
}

/// Makes a case of batch norm over blocks of `block` columns in training mode,
/// with inputs far from zero, a scale and offset, and a bias, for `rows` rows
/// of 42 columns.
std::unique_ptr<Case> makeCaseOfRows(mlir::MLIRContext &context, int rows,
                                     int block) {
  constexpr int kDim = 42;
  Random random(rows);
  NetworkText text;
  NodeRef node = text.addInput("input", kDim);
  auto add = [&](const std::string &op, const std::string &attributes) {
    text.addComponent(op + "_component", op, attributes);
    node = text.addNode(op, op + "_component", node, kDim);
  };
  add("fixed_bias", integer("dim", kDim) + ", " +
                        randomTensor(random, "bias", {kDim}, 100, 1));
  add("batch_norm", integer("dim", kDim) + ", " + integer("block_dim", block) +
                        ", " + number("epsilon", 1e-3) + ", " +
                        number("target_rms", 0.8));
  add("scale_and_offset", integer("dim", kDim) + ", " +
                              randomTensor(random, "scales", {kDim}, 1, 0.5) +
                              ", " +
                              randomTensor(random, "offsets", {kDim}, 0, 0.5));
  add("affine", integer("input_dim", kDim) + ", " +
                    integer("output_dim", kDim) + ", " +
                    randomTensor(random, "linear_params", {kDim, kDim}, 0, 1) +
                    ", " + randomTensor(random, "bias_params", {kDim}, 0, 1));
  text.addOutput("output", node);
  RandomNetwork network;
  network.text = text.str();
  std::vector<Index> indexes;
  for (int t = 0; t < rows; ++t)
    indexes.push_back({0, t, 0});
  auto test = Case::create(context, network, makeGradientRequest(indexes));
  EXPECT_EQ(test->getError(), "");
  test->redraw(random);
  return test;
}

/// Returns true if components repair themselves during their update, as LSTMs
/// and GRUs do. With consolidated updates that happens after all other
/// derivatives.
bool hasRecurrentRepair(NetworkOp network) {
  return network
      .walk([](mlir::Operation *op) {
        return llvm::isa<LstmNonlinearityOp, GruNonlinearityOp,
                         OutputGruNonlinearityOp>(op)
                   ? mlir::WalkResult::interrupt()
                   : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

} // namespace

/// Few rows are reduced at once, many in chunks. With many blocks, the
/// reductions are computed before their uses.
TEST_F(CudaBackwardTest, SumsOfRows) {
  auto context = makeContext();
  const std::pair<int, int> kSizes[] = {{1, 21},   {9, 21},    {255, 21},
                                        {300, 21}, {1000, 21}, {1, 42},
                                        {255, 42}, {1000, 42}, {1000, 1}};
  for (auto [rows, block] : kSizes) {
    auto test = makeCaseOfRows(*context, rows, block);
    Compiled compiled = compile(*test);
    ASSERT_TRUE(compiled.op) << compiled.diagnostics;
    compareOnDevice(*test, compiled.op, /*changes=*/false);
  }
}

/// The gradient of a single row is its decompressed value: ties, values out of
/// range, and others.
TEST_F(CudaBackwardTest, RoundsAsTheInterpreter) {
  constexpr int kDim = 41;
  constexpr float kUnit = 10.0f / 32767;
  auto context = makeContext();
  Random random(kDim);
  NetworkText text;
  NodeRef input = text.addInput("input", kDim);
  text.addComponent("affine", "linear",
                    integer("input_dim", kDim) + ", " +
                        integer("output_dim", 1) + ", " +
                        randomTensor(random, "params", {1, kDim}, 0, 1));
  text.addOutput("output", text.addNode("y", "affine", input, 1));
  RandomNetwork network;
  network.text = text.str();
  RandomRequest request = makeGradientRequest({{0, 0, 0}});
  request.outputs[0].values = {1};
  for (int i = 0; i < kDim; ++i)
    request.inputs[0].values.push_back(i < 20 ? (i - 9.5f) * kUnit
                                              : float(random.real(-12, 12)));
  auto test = Case::create(*context, network, request);
  ASSERT_EQ(test->getError(), "");
  Compiled compiled = compile(*test);
  ASSERT_TRUE(compiled.op) << compiled.diagnostics;
  ASSERT_EQ(runPasses(compiled.op, getPipeline(getDeviceOptimization(2))), "");
  EXPECT_TRUE(roundsMatrices(compiled.op));
  compareOnDevice(*test, compiled.op, /*changes=*/false, /*level=*/2,
                  /*tolerance=*/0);
}

TEST_F(CudaBackwardTest, SameNumbers) {
  int numCases = 0, numDrawing = 0, numRepairing = 0, numCompressed = 0;
  forEachCase([&](Case &original) {
    Case *test = &original;
    Random random(test->getSeed());
    const bool changes = random.chance(0.7);
    const bool draws = changes && drawNumbers(test->getNetworkOp(), random);
    const bool repairs = changes && repairAndClip(test->getNetworkOp(), random);
    Compiled compiled = compile(*test);
    if (!compiled.op)
      return;
    if (repairs && hasRecurrentRepair(test->getNetworkOp()))
      ASSERT_EQ(runPasses(compiled.op, getPipeline(getDeviceOptimization(1))),
                "");
    compareOnDevice(*test, compiled.op, draws || repairs);
    if (random.chance(0.3)) {
      Compiled rounded = compile(*test);
      ASSERT_EQ(runPasses(rounded.op, getPipeline(getDeviceOptimization(2))),
                "");
      // What differs by rounding may become integers that differ by one.
      if (roundsMatrices(rounded.op)) {
        compareOnDevice(*test, rounded.op, draws || repairs, /*level=*/2,
                        /*tolerance=*/1e-3);
        ++numCompressed;
      }
    }
    ++numCases;
    numDrawing += draws;
    numRepairing += repairs;
  });
  std::printf("%d cases, %d with random numbers, %d with self-repair, %d with "
              "compressed matrices\n",
              numCases, numDrawing, numRepairing, numCompressed);
  EXPECT_GT(numDrawing, 0);
  EXPECT_GT(numRepairing, 0);
  EXPECT_GT(numCompressed, 0);
}

/// Backward passes of rows, and reductions over rows, also have CPU vector
/// code; the rest runs as in the other cases.
TEST_F(CudaBackwardTest, RowsOnVectors) {
  int64_t numCases = 0, numKernels = 0;
  forEachCase([&](Case &test) {
    Compiled compiled = compile(test);
    if (!compiled.op)
      return;
    Random random(test.getSeed());
    const int64_t length = random.chance(0.5) ? 8 : 16;
    auto kernels = mlir::nnet3::test::HostKernels::createWithVectors(
        mlir::nnet3::test::copyNetwork(test.getNetworkOp(),
                                       {test.getRequestOp()}),
        {/*updates=*/false, getDeviceOptimization(1)}, length);
    ASSERT_TRUE(mlir::succeeded(kernels));
    numKernels += (*kernels)->getNumVectorKernels();
    compareOnDevice(test, compiled.op, /*changes=*/false, /*level=*/1,
                    /*tolerance=*/1e-4, **kernels);
    ++numCases;
  });
  std::printf("%lld cases, %lld kernels\n", (long long)numCases,
              (long long)numKernels);
  EXPECT_GT(numKernels, numCases);
}
