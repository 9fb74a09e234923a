//===- CompressionKernelTest.cpp - Compression, thread by thread ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compression to small integers and decompression by the threads of a GPU:
// results equal the formula bit for bit, and no two threads write the same
// word.
//
//===----------------------------------------------------------------------===//

#include "EmulatedModule.h"

#include "nnet3/Conversion/KernelToThreads/Passes.h"
#include "nnet3/Conversion/KernelsToGpu/Passes.h"
#include "nnet3/Conversion/KernelsToGpu/Pipeline.h"
#include "nnet3/Conversion/Nnet3ToKernels/Pipeline.h"
#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"
#include "nnet3/Target/Cuda/DeviceProgram.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <random>

using namespace mlir::nnet3;
using namespace mlir::nnet3::test;
using namespace mlir;
namespace rt = ::nnet3::rt;
namespace cuda = rt::cuda;

namespace {

/// The integer type of a compressed matrix, and the value of the largest
/// integer.
struct Format {
  const char *type;
  double least, largest;
  float range;
};

std::ostream &operator<<(std::ostream &os, const Format &format) {
  return os << format.type << " for " << format.range;
}

class CompressionKernelTest : public ::testing::TestWithParam<Format> {
protected:
  CompressionKernelTest() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<mlir::nnet3::Nnet3Dialect, memref::MemRefDialect>();
  }

  /// The kernels that compress an input and make the output of that.
  OwningOpRef<ModuleOp> lower(int64_t rows, int64_t cols) {
    auto module = parseSourceString<ModuleOp>(
        llvm::formatv(R"(
          nnet3.network @net {
            %x = nnet3.input_node "x" : !nnet3.rows<{1}>
            nnet3.output_node "y", %x : !nnet3.rows<{1}>
          }
          nnet3.computation @both for @net {
            %x = nnet3.accept_input "x" : memref<{0}x{1}xf32>
            %c = nnet3.compress_matrix %x range {3:e} truncate :
                memref<{0}x{1}xf32> -> !nnet3.compressed<{0}x{1}x{2}>
            %y = nnet3.decompress_matrix %c : !nnet3.compressed<{0}x{1}x{2}> ->
                memref<{0}x{1}xf32>
            nnet3.provide_output "y", %y : memref<{0}x{1}xf32>
          })",
                      rows, cols, GetParam().type, GetParam().range)
            .str(),
        &context);
    PassManager passes(&context);
    mlir::nnet3::Nnet3ConvertToKernelsOptions options;
    options.device = true;
    mlir::nnet3::addKernelPasses(passes, options);
    passes.addPass(mlir::nnet3::kernel::createKernelToThreads());
    passes.addPass(mlir::nnet3::createNnet3ConvertKernelsToGpu());
    mlir::nnet3::addGpuToNVVMPasses(passes);
    EXPECT_TRUE(module && succeeded(passes.run(*module)));
    return module;
  }

  /// All launches of `program`; returns what threads do wrong.
  static std::string launch(const DeviceProgram &program,
                            const EmulatedModule &emulated, uint64_t order,
                            std::vector<float> &arena) {
    GpuEmulator emulator(order);
    const std::vector<int64_t> &launches =
        program.requests.front().request.launches;
    for (size_t i = 0; i < launches.size();) {
      const cuda::Kernel &kernel = program.code.kernels[launches[i++]];
      auto code =
          llvm::find_if(emulated.getKernels(), [&](const EmulatedKernel &k) {
            return k.name == kernel.name;
          });
      void *memory = arena.data();
      std::vector<int64_t> places(launches.begin() + i,
                                  launches.begin() + i + kernel.numPlaces);
      // Arena, weights and row tables.
      std::vector<void *> parameters(3, &memory);
      for (int64_t &place : places)
        parameters.push_back(&place);
      emulator.launch(
          *code, {{kernel.blocksX, kernel.blocksY, 1}, {kernel.threads, 1, 1}},
          parameters.data(),
          {{reinterpret_cast<const char *>(arena.data()),
            arena.size() * sizeof(float), "arena", /*isShared=*/false}});
      i += kernel.numPlaces;
    }
    return llvm::join(emulator.getFindings(), "\n");
  }

  static float getExpected(float value) {
    const Format &f = GetParam();
    if (f.range == 0)
      return value > 0 ? 1 : 0;
    const float scaled = value * (float(f.largest) / f.range);
    const double clipped = !(scaled > f.least)  ? f.least
                           : scaled > f.largest ? f.largest
                                                : scaled;
    return f.range / float(f.largest) * float(std::nearbyint(clipped));
  }

  MLIRContext context;
};

/// Returns values with ties, out of range, and NaN, among others.
std::vector<float> makeValues(const Format &format, size_t count) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const float unit = format.range == 0 ? 1 : format.range / format.largest;
  std::vector<float> values = {
      0,   -0.0f, 1e-30f, -1e-30f, 1e6f,  -1e6f, kInfinity, -kInfinity,
      NAN, 0.5f,  1.5f,   2.5f,    -0.5f, -1.5f, -2.5f,     0.49f};
  for (size_t i = 9; i < values.size(); ++i)
    values[i] *= unit;
  std::mt19937 generator(count);
  std::uniform_real_distribution<float> real(-1.2f * unit * format.largest,
                                             1.2f * unit * format.largest);
  values.resize(std::min(count, values.size()));
  while (values.size() < count)
    values.push_back(real(generator));
  return values;
}

} // namespace

TEST_P(CompressionKernelTest, IsTheFormula) {
  // One block and several; elements that fill the last word, and that do not.
  for (auto [rows, cols] : {std::pair<int64_t, int64_t>{1, 1},
                            {3, 5},
                            {4, 8},
                            {7, 11},
                            {37, 61},
                            {64, 64}}) {
    OwningOpRef<ModuleOp> module = lower(rows, cols);
    auto program = collectDeviceProgram(*module);
    auto emulated = EmulatedModule::load(*module);
    ASSERT_TRUE(succeeded(program) && succeeded(emulated));
    const cuda::DeviceRequest &request = program->requests.front().request;
    const std::vector<float> values = makeValues(GetParam(), rows * cols);
    for (uint64_t order : {0, 1, 5}) {
      std::vector<float> arena(request.arenaFloats, NAN);
      llvm::copy(values, arena.begin() + request.inputs[0].place);
      EXPECT_EQ(launch(*program, **emulated, order, arena), "");
      for (size_t i = 0; i < values.size(); ++i)
        ASSERT_EQ(arena[request.outputs[0].place + i], getExpected(values[i]))
            << rows << " x " << cols << ": " << values[i];
    }
  }
}

/// The output reuses the memory of the input; only the integers need additional
/// memory.
TEST_P(CompressionKernelTest, TakesTheRoomOfIntegers) {
  OwningOpRef<ModuleOp> module = lower(61, 37);
  auto program = collectDeviceProgram(*module);
  ASSERT_TRUE(succeeded(program));
  const bool isByte = GetParam().largest < 256;
  EXPECT_EQ(program->requests.front().request.arenaFloats,
            llvm::alignTo(61 * 37, 16) +
                llvm::alignTo(61 * 37 / (isByte ? 4 : 2) + 1, 16));
}

INSTANTIATE_TEST_SUITE_P(Formats, CompressionKernelTest,
                         ::testing::Values(Format{"ui8", 0, 255, 0},
                                           Format{"ui8", 0, 255, 1},
                                           Format{"si8", -128, 127, 2.5f},
                                           Format{"si16", -32768, 32767, 10},
                                           Format{"ui16", 0, 65535, 0.3f}));
