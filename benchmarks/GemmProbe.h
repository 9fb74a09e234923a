//===- GemmProbe.h - The matrix products of a computation -------*- C++ -*-===//

#ifndef NNET3_BENCHMARKS_GEMMPROBE_H
#define NNET3_BENCHMARKS_GEMMPROBE_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

#include <vector>

namespace nnet3::benchmarks {

/// The matrix products that a computation's components do, with the same
/// shapes, through the same BLAS, on buffers of their own: the time that no
/// executor on this BLAS can go below.
class GemmProbe {
public:
  explicit GemmProbe(mlir::nnet3::ComputationOp computation);

  /// Does every product once.
  void run();
  /// Floating-point operations of one run.
  double getFlops() const;

private:
  struct Shape {
    int64_t m, n, k;
  };
  std::vector<Shape> shapes;
  /// One weight matrix per product, as in the network.
  std::vector<std::vector<float>> weights;
  std::vector<float> input, output;
};

} // namespace nnet3::benchmarks

#endif // NNET3_BENCHMARKS_GEMMPROBE_H
