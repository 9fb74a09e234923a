//===- Library.h - Libraries of nnet3-compile in Python ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_PYTHON_RUNTIME_LIBRARY_H
#define NNET3_PYTHON_RUNTIME_LIBRARY_H

#include "Bindings.h"
#include "runner/library/LibraryModel.h"

#include <memory>

namespace nnet3::python {

/// An open library. Instances, streams and schedulers share its model.
struct Library {
  std::shared_ptr<rt::LibraryModel> model;

  /// Throws if a function of the library has returned an error; \p message is
  /// its error message, or empty.
  void check(const char *function, nnet3lib_status status,
             const char *message = "") const;
};

inline nnet3lib_input describe(const InputMatrix &matrix) {
  const auto rows = static_cast<int32_t>(matrix.shape(0));
  const auto cols = static_cast<int32_t>(matrix.shape(1));
  return {matrix.data(), cols, rows, cols};
}

/// Describes a numpy array as an output.
template <typename Matrix>
nnet3lib_output describeOutput(const Matrix &matrix) {
  const auto rows = static_cast<int32_t>(matrix.shape(0));
  const auto cols = static_cast<int32_t>(matrix.shape(1));
  return {matrix.data(), cols, rows, cols};
}

} // namespace nnet3::python

#endif // NNET3_PYTHON_RUNTIME_LIBRARY_H
