//===- ParameterInitializer.h - Drawing initial parameters ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_PARAMETERINITIALIZER_H
#define NNET3_DIALECT_NNET3_IR_PARAMETERINITIALIZER_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include <cstdint>

namespace mlir::nnet3 {

/// Draws the initial parameters of components. It has its own random number
/// generator, so that a seed gives the same model on every platform.
class ParameterInitializer {
public:
  explicit ParameterInitializer(uint64_t seed) : state(seed) {}
  virtual ~ParameterInitializer();

  /// Draws a number that is uniform on [0, 1).
  double uniform();
  /// Draws a number with the standard normal distribution.
  double normal();

  /// Sets attribute `name` of `op` to a float32 tensor of `shape` whose
  /// elements are mean + stddev * normal().
  void setNormal(Operation *op, llvm::StringRef name,
                 llvm::ArrayRef<int64_t> shape, double mean, double stddev);
  /// Sets attribute `name` of `op` to a float32 tensor.
  void setTensor(Operation *op, llvm::StringRef name,
                 llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<float> values);

  /// Reads the float matrix file that a config key (`matrix`, `scales`, ...)
  /// names, relative to the working directory, then to the directory of the
  /// config file. Emits an error at `op` if it cannot be read. A vector has one
  /// row.
  virtual FailureOr<std::vector<float>> readMatrix(Operation *op,
                                                   llvm::StringRef file,
                                                   int64_t &rows,
                                                   int64_t &cols) = 0;

private:
  uint64_t state;
  double spare = 0;
  bool hasSpare = false;
};

} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_IR_PARAMETERINITIALIZER_H
