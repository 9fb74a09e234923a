//===- GemmProbe.h - The matrix products of a computation -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_BENCHMARKS_GEMMPROBE_H
#define NNET3_BENCHMARKS_GEMMPROBE_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

#include <vector>

namespace mlir::nnet3::benchmarks {

/// Which of a component's products a probe does.
enum class ProbedProducts {
  Forward,         ///< Y = X W^T
  InputGradients,  ///< the same, and dX = dY W
  WeightGradients, ///< the same, and dW = dY^T X
};

/// The matrix products that a computation's components do, with the same
/// shapes, through the same BLAS, on buffers of their own: the time that no
/// executor on this BLAS can go below.
class GemmProbe {
public:
  explicit GemmProbe(ComputationOp computation,
                     ProbedProducts products = ProbedProducts::Forward);

  /// Does every product once.
  void run();
  /// Floating-point operations of one run.
  double getFlops() const;

private:
  enum class Kind { Forward, InputGradient, WeightGradient };
  /// The products of one command with the parts of the weights: one part, or
  /// one for each time offset.
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
  /// Those of the network's components, each once.
  std::vector<std::vector<float>> weights;
  /// Large enough for every command. What is read is never written: numbers
  /// that grow or vanish would change the speed.
  std::vector<float> input, outputDeriv, result;
};

} // namespace mlir::nnet3::benchmarks

#endif // NNET3_BENCHMARKS_GEMMPROBE_H
