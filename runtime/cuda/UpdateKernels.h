//===- UpdateKernels.h - The kernels of training steps ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What nnet3-make-update-kernels makes: sizes are arguments, and a sum is left
// as kParts parts behind each other.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CUDA_UPDATEKERNELS_H
#define NNET3_RUNTIME_CUDA_UPDATEKERNELS_H

#include "nnet3/runtime/cuda/DeviceModel.h"

#include <initializer_list>

namespace nnet3 {
namespace rt {
namespace cuda {

/// A matrix on the device, row by row; \p stride counts floats.
struct DeviceView {
  Pointer data = 0;
  int64_t rows = 0, columns = 0, stride = 0;
};

class UpdateKernels {
public:
  /// Parts of a sum.
  static constexpr int64_t kParts = 128;

  /// The kernels in \p code on the device of \p device, which it keeps.
  static Result<std::unique_ptr<UpdateKernels>>
  create(std::shared_ptr<const DeviceWeights> device,
         std::shared_ptr<const DeviceCode> code);

  // Each puts one launch into a stream.

  /// y += a x.
  Error add(Stream stream, Pointer y, Pointer x, int64_t count, float a) const;
  /// y := a y + b x, in double precision, each number in two floats; zero times
  /// whatever was there is zero.
  Error addDoubles(Stream stream, Pointer y, Pointer x, int64_t count, double a,
                   double b) const;
  /// y *= a; zero for a = 0, whatever was there.
  Error scale(Stream stream, Pointer y, int64_t count, float a) const;
  /// The sum of x y, which are in one block of memory.
  Error dot(Stream stream, Pointer sum, Pointer x, Pointer y,
            int64_t count) const;
  /// The sum of the squares of x.
  Error squares(Stream stream, Pointer sum, const DeviceView &x) const;
  /// Multiplies x such that its sum of squares, at \p after, becomes that at
  /// \p before, where this is above 0 and finite; both in one block of memory.
  Error rescale(Stream stream, const DeviceView &x, Pointer before,
                Pointer after) const;
  /// Adds row r of x times element r of \p list to row r of y; rows behind each
  /// other, all in one block of memory.
  Error addRows(Stream stream, Pointer y, Pointer x, Pointer list, int64_t rows,
                int64_t columns) const;
  /// y := x x^T in double precision, each element as a float and what is to be
  /// added to it.
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
