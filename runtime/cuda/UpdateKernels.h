//===- UpdateKernels.h - The kernels of training steps ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches the kernels of nnet3-make-update-kernels. Sizes are arguments; a sum
// is written as kParts contiguous partial sums.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CUDA_UPDATEKERNELS_H
#define NNET3_RUNTIME_CUDA_UPDATEKERNELS_H

#include "nnet3/runtime/cuda/DeviceModel.h"

#include <initializer_list>

namespace nnet3 {
namespace rt {
namespace cuda {

/// A row-major matrix on the device; `stride` counts floats.
struct DeviceView {
  Pointer data = 0;
  int64_t rows = 0, columns = 0, stride = 0;
};

class UpdateKernels {
public:
  /// Number of partial sums of a sum.
  static constexpr int64_t kParts = 128;

  /// Loads the kernels of \p code on the device of \p device, and keeps both.
  static Result<std::unique_ptr<UpdateKernels>>
  create(std::shared_ptr<const DeviceWeights> device,
         std::shared_ptr<const DeviceCode> code);

  // Each function enqueues one launch.

  /// y += a x.
  Error add(Stream stream, Pointer y, Pointer x, int64_t count, float a) const;
  /// y := a y + b x for float64 numbers, each stored in two floats. A factor of
  /// 0 gives 0 even for numbers that are not finite.
  Error addDoubles(Stream stream, Pointer y, Pointer x, int64_t count, double a,
                   double b) const;
  /// y *= a; zero-fills y if a is 0.
  Error scale(Stream stream, Pointer y, int64_t count, float a) const;
  /// The dot product of x and y, which are in one block of memory.
  Error dot(Stream stream, Pointer sum, Pointer x, Pointer y,
            int64_t count) const;
  /// The sum of the squares of x.
  Error squares(Stream stream, Pointer sum, const DeviceView &x) const;
  /// Scales x so that its sum of squares \p after becomes \p before, if \p
  /// before is above 0 and finite; both sums are in one block of memory.
  Error rescale(Stream stream, const DeviceView &x, Pointer before,
                Pointer after) const;
  /// Adds row r of x times element r of \p list to row r of y. Rows are
  /// contiguous; all operands are in one block of memory.
  Error addRows(Stream stream, Pointer y, Pointer x, Pointer list, int64_t rows,
                int64_t columns) const;
  /// y := x x^T in double precision. Each element is stored as the sum of two
  /// floats.
  Error gram(Stream stream, Pointer y, Pointer x, int64_t rows,
             int64_t columns) const;
  /// Adds \p number to the diagonal of y, size x size.
  Error addToDiagonal(Stream stream, Pointer y, int64_t size,
                      float number) const;
  /// The trace of x, size x size.
  Error trace(Stream stream, Pointer sum, Pointer x, int64_t size) const;
  /// y[i] := x[tables[table + i]], at least \p least in magnitude.
  Error gather(Stream stream, Pointer y, Pointer x, Pointer tables,
               int64_t table, int64_t count, float least) const;

private:
  enum Kind {
    Add,
    Scale,
    Dot,
    Squares,
    Rescale,
    AddRows,
    Gram,
    AddNumber,
    Sum,
    Gather,
    AddDoubles,
    NumKinds
  };

  UpdateKernels(std::unique_ptr<DeviceModel> model) : model(std::move(model)) {}

  Status find(const DeviceCode &code);
  Error launch(Kind kind, Stream stream, Pointer to, Pointer from,
               std::initializer_list<int64_t> places, Pointer tables = 0) const;

  std::unique_ptr<DeviceModel> model;
  size_t numbers[NumKinds] = {}; ///< of the model's kernels
};

} // namespace cuda
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CUDA_UPDATEKERNELS_H
