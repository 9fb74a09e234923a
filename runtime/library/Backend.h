//===- Backend.h - Requests that do not run on the CPU ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library for a GPU has no run functions: its code is in the metadata, and
// its image points to a backend, which only such libraries link.
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

/// The result of opening a library or creating an instance.
struct OpenResult {
  nnet3lib_status status = NNET3LIB_OK;
  std::string message;

  bool ok() const { return status == NNET3LIB_OK; }
};

/// The memory of one run of a request at a time.
class BackendInstance {
public:
  virtual ~BackendInstance() = default;

  /// The memory of an input, to be written before a run, and of an output, to
  /// be read after it.
  virtual MatrixView getInput(int32_t index) = 0;
  virtual ConstMatrixView getOutput(int32_t index) const = 0;

  /// Starts a run.
  virtual nnet3lib_status submit() = 0;
  /// Starts a run on device memory: all inputs and outputs of the request in
  /// order, with checked dims. \p outputs may be null if none is needed.
  virtual nnet3lib_status submitOnDevice(const nnet3lib_input *inputs,
                                         const nnet3lib_output *outputs) = 0;
  /// Waits until the started runs have finished.
  virtual nnet3lib_status wait() = 0;
};

/// A model with the code of its requests. Any number of threads may use it.
class BackendModel {
public:
  virtual ~BackendModel() = default;

  /// Creates an instance of request number \p request; the model outlives it.
  /// Fails if there is no device.
  virtual OpenResult
  createInstance(int32_t request, const nnet3lib_instance_options &options,
                 std::unique_ptr<BackendInstance> &instance) const = 0;

  /// Measures algorithms on \p device and writes the image's tuning data to
  /// \p memory, \p size bytes.
  virtual OpenResult tune(int32_t device, void *memory,
                          uint64_t size) const = 0;
};

} // namespace rt
} // namespace nnet3

struct nnet3lib_backend {
  /// Verifies the parts of the metadata that the backend uses, after everything
  /// else of \p model is loaded. Needs no device.
  nnet3::rt::OpenResult (*load)(
      const nnet3lib_model &model,
      std::unique_ptr<nnet3::rt::BackendModel> &loaded);
};

#endif // NNET3_RUNTIME_LIBRARY_BACKEND_H
