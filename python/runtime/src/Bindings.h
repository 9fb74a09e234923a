//===- Bindings.h - Common parts of the Python module -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The module nnet3._runtime calls the C interfaces of the runtime. It leaves
// checks to them, and raises nnet3.Error if they return an error. Users see the
// package around it (nnet3/*.py).
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_PYTHON_RUNTIME_BINDINGS_H
#define NNET3_PYTHON_RUNTIME_BINDINGS_H

#include "nnet3/runtime/Status.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace nnet3::python {

/// nnet3.Error.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Returns the value of a result, or throws Error with its message.
template <typename T> T take(rt::Result<T> result) {
  if (!result.ok())
    throw Error(result.status().message());
  return std::move(*result);
}

/// An input matrix: any object with the buffer protocol or DLPack. Matrices of
/// other types, or that are not contiguous, are copied.
using InputMatrix =
    nanobind::ndarray<const float, nanobind::ndim<2>, nanobind::c_contig,
                      nanobind::device::cpu>;
using InputVector =
    nanobind::ndarray<const float, nanobind::ndim<1>, nanobind::c_contig,
                      nanobind::device::cpu>;
/// A matrix that is written in place.
using TargetMatrix =
    nanobind::ndarray<float, nanobind::ndim<2>, nanobind::c_contig,
                      nanobind::device::cpu>;
/// A new matrix.
using OutputMatrix =
    nanobind::ndarray<nanobind::numpy, float, nanobind::ndim<2>>;
using OutputIndexes =
    nanobind::ndarray<nanobind::numpy, int32_t, nanobind::ndim<2>>;

/// Creates an uninitialised numpy array.
template <typename T>
nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<2>>
makeMatrix(size_t rows, size_t cols) {
  T *data = new T[rows * cols];
  nanobind::capsule owner(
      data, [](void *memory) noexcept { delete[] static_cast<T *>(memory); });
  return {data, {rows, cols}, owner};
}

void bindLibraries(nanobind::module_ &module);
void bindStreams(nanobind::module_ &module);
void bindScheduler(nanobind::module_ &module);
void bindFeatures(nanobind::module_ &module);
void bindPrograms(nanobind::module_ &module);

} // namespace nnet3::python

#endif // NNET3_PYTHON_RUNTIME_BINDINGS_H
