//===- DeltaSums.h - Sums of delta over processes ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CUDA_DELTASUMS_H
#define NNET3_RUNTIME_CUDA_DELTASUMS_H

#include "TrainingDevice.h"

namespace nnet3 {
namespace rt {
namespace cuda {

/// Sums parts of delta over processes, on the host, while the device computes
/// the parts that follow. Has a stream for the copies to the host. Callers make
/// the device's context current.
class DeltaSums {
public:
  /// \p device outlives this object.
  explicit DeltaSums(TrainingDevice &device)
      : device(device), host(device.getApi()) {}
  ~DeltaSums() { release(); }
  DeltaSums(const DeltaSums &) = delete;
  DeltaSums &operator=(const DeltaSums &) = delete;

  void release();

  /// Begins a run, without parts. The first run allocates memory for the
  /// \p floats numbers of \p delta.
  Error reset(Pointer delta, size_t floats);
  /// Adds a part, \p count numbers of delta from \p place on, which the work
  /// that is in the device's stream completes. Enqueues its copy to the host.
  Error add(uint64_t place, int64_t count);
  /// Waits for the copies of the parts so far, and begins their sums.
  Error begin();
  /// Waits for all sums, and enqueues their copies to delta.
  Error finish();

private:
  struct Part {
    uint64_t place = 0;
    int64_t count = 0;
  };

  Error allocate(size_t floats);
  Error addEvent();
  Error waitFor(Event copied) const;

  TrainingDevice &device;
  Pointer delta = 0;
  StagingMemory host; ///< with the layout of delta
  Stream copies = nullptr;
  std::vector<Part> parts;
  /// Of the copies of the parts, and more from earlier runs.
  std::vector<Event> events;
  size_t numBegun = 0; ///< parts whose sums have begun
};

} // namespace cuda
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CUDA_DELTASUMS_H
