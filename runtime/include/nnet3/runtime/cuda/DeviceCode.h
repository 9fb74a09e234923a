//===- DeviceCode.h - Compiled computations for a GPU -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The output of nnet3-compile --target=cuda: kernels, and the list of launches
// of each request. A `place` is an offset in floats from the start of the arena
// or of the weights.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CUDA_DEVICECODE_H
#define NNET3_RUNTIME_CUDA_DEVICECODE_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nnet3 {
namespace rt {
namespace cuda {

/// The matmul of X and W that a Product computes.
enum class ProductFactors {
  Forward,         ///< X W^T
  InputDerivative, ///< X W
  WeightDerivative ///< X^T W, where W is in the arena
};

/// A strided-batched GEMM, Y := X W^T (or as `factors` says) + beta Y, of
/// row-major matrices. X and Y are in the arena, W is in the weights. Strides
/// of rows and batches count elements.
struct Product {
  int32_t rows = 0, columns = 0, depth = 0;
  int32_t inputStride = 0, weightsStride = 0, outputStride = 0;
  int32_t batches = 1;
  int64_t inputBatch = 0, outputBatch = 0;
  float beta = 0;
  /// The epilogue, a combination of kBias and kRelu (cublasLtEpilogue_t); 0 for
  /// none. With a bias the launch has a fourth offset.
  int32_t epilogue = 0;
  ProductFactors factors = ProductFactors::Forward;
  /// Element type of X and W, a cudaDataType: float32, or 16 bits. Y is
  /// float32.
  int32_t factorType = 0;

  int32_t getFactorBytes() const { return factorType == 0 ? 4 : 2; }

  /// Only libraries of earlier compilers have ReLU here.
  static constexpr int32_t kRelu = 2, kBias = 4;
};

/// An action of the trainer between two launches (DeviceSteps).
struct Step {
  /// The component whose preconditioner runs, or whose gradient is complete.
  /// Else, with `sums`, float64 numbers in `columns` floats are summed over
  /// processes, or the objectives are computed, which has no offset.
  std::string component;
  /// The parameter whose gradient is complete and can be summed over processes.
  std::string parameter;
  std::optional<int32_t> part; ///< of a composite component
  int32_t number = 0;          ///< preconditioner of the component or part
  int32_t rows = 0, columns = 0, stride = 0;
  /// Whether preconditioner `number` + 1 then preconditions the columns.
  bool isTwoSided = false;
  bool sums = false;
};

/// The epilogue of a matmul is either fused into it by cuBLASLt, or computed by
/// a kernel after it. Code contains both forms; an instance launches one.
enum class Form : uint8_t {
  Always, ///< in both
  Fused,
  Apart
};

/// A function of the PTX, a matmul for cuBLAS, or a step. A launch passes it
/// offsets: to a matmul those of W, X and Y, to a function its arguments after
/// the arena, the weights and the row tables.
struct Kernel {
  std::string name; ///< empty for a matmul or a step
  uint32_t blocksX = 1, blocksY = 1, threads = 1;
  uint32_t numPlaces = 0;
  Form form = Form::Always;
  Product product;
  std::optional<Step> step;
};

/// The kernels as PTX, for devices of compute capability `arch`, such as 80 for
/// sm_80, and later ones.
struct DevicePtx {
  int32_t arch = 0;
  std::string text;
};

struct DeviceCode {
  /// The type that matmuls round their operands to: "f32" (no rounding),
  /// "tf32", "bf16" or "fp16".
  std::string precision = "f32";
  /// Empty if there are matmuls only.
  std::vector<DevicePtx> ptx;
  std::vector<Kernel> kernels;
  std::vector<int32_t> rowTables;
  /// The table of AlgorithmTable.h in the library's file; null if there is
  /// none. Outlives the code.
  const void *algorithms = nullptr;
  size_t algorithmBytes = 0;
};

/// A matrix of the arena with contiguous rows.
struct DeviceMatrix {
  uint64_t place = 0;
  int32_t rows = 0, cols = 0;

  size_t getBytes() const {
    return sizeof(float) * static_cast<size_t>(rows) * cols;
  }
};

/// The statistics of a component in the order of Component::statistics():
/// float64 numbers, each of which takes two floats of the arena.
struct DeviceStatistics {
  std::string component;
  bool ofGradient = false; ///< of the gradient instead of the network
  uint64_t place = 0;
  uint64_t size = 0; ///< in float64 numbers
};

struct DeviceRequest {
  uint64_t arenaFloats = 0;
  std::vector<DeviceMatrix> inputs, outputs;
  /// Offset of the state of random numbers, if any are drawn. 32-bit words: the
  /// lower and the upper half of the seed, the number of the run, and
  /// RandomDraws.
  std::optional<uint64_t> random;
  /// Statistics that runs add to, contiguous in the arena.
  std::vector<DeviceStatistics> statistics;
  /// The launches in order; each is the number of a kernel and its offsets.
  std::vector<int64_t> launches;
};

} // namespace cuda
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CUDA_DEVICECODE_H
