//===- DeviceCode.h - Compiled computations for a GPU -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What nnet3-compile --target=cuda makes: kernels, and for each request the
// list of their launches. Numbers of floats count from the beginning of the
// arena or of the weights.
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

/// What a product multiplies.
enum class ProductFactors {
  Forward,         ///< X W^T
  InputDerivative, ///< X W
  WeightDerivative ///< X^T W, where W is in the arena
};

/// Y := a product + beta Y for \p batches X and Y at equal distances, all row
/// by row; X and Y are in the arena, W in the weights. Strides and distances
/// count numbers.
struct Product {
  int32_t rows = 0, columns = 0, depth = 0;
  int32_t inputStride = 0, weightsStride = 0, outputStride = 0;
  int32_t batches = 1;
  int64_t inputBatch = 0, outputBatch = 0;
  float beta = 0;
  /// What follows, by cuBLASLt: its number for adding a bias and for ReLU; 0
  /// for nothing. With a bias there is a fourth place.
  int32_t epilogue = 0;
  ProductFactors factors = ProductFactors::Forward;
  /// What X and W are, a cudaDataType: float32, or 16 bits. Y is float32.
  int32_t factorType = 0;

  int32_t getFactorBytes() const { return factorType == 0 ? 4 : 2; }

  /// Only libraries of earlier compilers have ReLU here.
  static constexpr int32_t kRelu = 2, kBias = 4;
};

/// What a trainer does between two launches (DeviceSteps.h).
struct Step {
  /// Whose preconditioner; empty for objectives, which have no place.
  std::string component;
  std::optional<int32_t> part; ///< of a composite component
  int32_t number = 0;          ///< among those of the component or part
  int32_t rows = 0, columns = 0, stride = 0;
  /// Whether the next one preconditions columns, behind the rows.
  bool isTwoSided = false;
};

/// What follows a product is part of it where cuBLASLt does it, or a kernel
/// behind it. Programs have both forms, and run one.
enum class Form : uint8_t {
  Always, ///< in both
  Fused,
  Apart
};

/// A function of the PTX, a product for cuBLAS, or a step. A launch gives it
/// places: a product those of W, X and Y, a function whatever it takes behind
/// the arena, the weights and the row tables.
struct Kernel {
  std::string name; ///< empty for a product or a step
  uint32_t blocksX = 1, blocksY = 1, threads = 1;
  uint32_t numPlaces = 0;
  Form form = Form::Always;
  Product product;
  std::optional<Step> step;
};

/// The kernels as text, for devices of compute capability \p arch, such as 80
/// for sm_80, and later ones.
struct DevicePtx {
  int32_t arch = 0;
  std::string text;
};

struct DeviceCode {
  /// What products round their factors to: "f32" (not at all), "tf32", "bf16"
  /// or "fp16".
  std::string precision = "f32";
  /// None where there are only products.
  std::vector<DevicePtx> ptx;
  std::vector<Kernel> kernels;
  std::vector<int32_t> rowTables;
  /// What the file of a library has for AlgorithmTable.h; null where there is
  /// none. Outlives the code.
  const void *algorithms = nullptr;
  size_t algorithmBytes = 0;
};

/// A matrix of the arena, its rows behind each other.
struct DeviceMatrix {
  uint64_t place = 0;
  int32_t rows = 0, cols = 0;

  size_t getBytes() const {
    return sizeof(float) * static_cast<size_t>(rows) * cols;
  }
};

/// The statistics of a component, as the runtime's component has them: numbers
/// in double precision, of which each is in two floats of the arena.
struct DeviceStatistics {
  std::string component;
  bool ofGradient = false; ///< or of the network itself
  uint64_t place = 0;
  uint64_t size = 0; ///< in numbers
};

struct DeviceRequest {
  uint64_t arenaFloats = 0;
  std::vector<DeviceMatrix> inputs, outputs;
  /// The place of the state of random numbers, if any are drawn: the bits of
  /// the lower and the upper half of the seed, and of the number of the run.
  std::optional<uint64_t> random;
  /// Those that runs add to, behind each other.
  std::vector<DeviceStatistics> statistics;
  /// One launch after the other: the number of the kernel, then its places.
  std::vector<int64_t> launches;
};

} // namespace cuda
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CUDA_DEVICECODE_H
