//===- Backend.h - Requests that do not run on the CPU ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library for a GPU has no functions: its code is in the metadata, and its
// image points at a backend, which is linked for it alone.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_LIBRARY_BACKEND_H
#define NNET3_RUNTIME_LIBRARY_BACKEND_H

#include "nnet3/runtime/MatrixView.h"
#include "nnet3/runtime/nnet3lib.h"

#include <cstdint>
#include <memory>
#include <string>

namespace nnet3 {
namespace rt {

/// What opening came to.
struct OpenResult {
  nnet3lib_status status = NNET3LIB_OK;
  std::string message;

  bool ok() const { return status == NNET3LIB_OK; }
};

/// The memory of the runs of a request, one at a time.
class BackendInstance {
public:
  virtual ~BackendInstance() = default;

  /// Where input number \p index is to be before a run, and output number
  /// \p index is after it.
  virtual MatrixView getInput(int32_t index) = 0;
  virtual ConstMatrixView getOutput(int32_t index) const = 0;

  /// Begins a run.
  virtual nnet3lib_status submit() = 0;
  /// Begins a run on memory of the device: all inputs and outputs of the
  /// request in order, whose dims are right. Without outputs none is wanted.
  virtual nnet3lib_status submitOnDevice(const nnet3lib_input *inputs,
                                         const nnet3lib_output *outputs) = 0;
  /// Returns when what was begun is done.
  virtual nnet3lib_status wait() = 0;
};

/// A model with the code of its requests. Any number of threads may use it.
class BackendModel {
public:
  virtual ~BackendModel() = default;

  /// Makes an instance of request number \p request, which the model outlives.
  /// Where there is no device, it is this that fails.
  virtual OpenResult
  createInstance(int32_t request, const nnet3lib_instance_options &options,
                 std::unique_ptr<BackendInstance> &instance) const = 0;

  /// Measures on \p device what the image's tuning is to be, of \p size bytes
  /// at \p memory.
  virtual OpenResult tune(int32_t device, void *memory,
                          uint64_t size) const = 0;
};

} // namespace rt
} // namespace nnet3

struct nnet3lib_backend {
  /// Verifies what the metadata of \p model, which is loaded but for it, has
  /// for the backend; needs no device.
  nnet3::rt::OpenResult (*load)(
      const nnet3lib_model &model,
      std::unique_ptr<nnet3::rt::BackendModel> &loaded);
};

#endif // NNET3_RUNTIME_LIBRARY_BACKEND_H
