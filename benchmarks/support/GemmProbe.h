//===- GemmProbe.h - The matmuls of a computation ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_BENCHMARKS_GEMMPROBE_H
#define NNET3_BENCHMARKS_GEMMPROBE_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

#include <vector>

namespace mlir::nnet3::benchmarks {

/// The matmuls of a component that a probe runs.
enum class ProbedMatmuls {
  Forward,         ///< Y = X W^T
  InputGradients,  ///< also dX = dY W
  WeightGradients, ///< also dW = dY^T X
};

/// Runs the matmuls of a computation's components, with the same shapes and the
/// same BLAS, on buffers of its own. Its time is a lower bound for any executor
/// that uses this BLAS.
class GemmProbe {
public:
  explicit GemmProbe(ComputationOp computation,
                     ProbedMatmuls products = ProbedMatmuls::Forward);

  /// Runs every matmul once.
  void run();
  /// Returns the floating-point operations of one run.
  double getFlops() const;

private:
  enum class Kind { Forward, InputGradient, WeightGradient };
  /// The matmuls of one command with the parts of the weights: one part, or one
  /// per time offset.
  struct Products {
    Kind kind;
    int64_t rows;
    int64_t outputs; ///< of the component
    int64_t inputs;  ///< of one part
    int64_t parts;
    size_t weights;
  };

  void run(const Products &products);

  std::vector<Products> commands;
  /// The weights of the network's components; each component appears once.
  std::vector<std::vector<float>> weights;
  /// Large enough for every command. The inputs of matmuls are never
  /// overwritten: growing or vanishing numbers would change the speed.
  std::vector<float> input, outputDeriv, result;
};

} // namespace mlir::nnet3::benchmarks

#endif // NNET3_BENCHMARKS_GEMMPROBE_H
