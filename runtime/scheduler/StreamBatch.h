//===- StreamBatch.h - A batch of chunks ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_SCHEDULER_STREAMBATCH_H
#define NNET3_RUNTIME_SCHEDULER_STREAMBATCH_H

#include "ScheduledStream.h"

namespace nnet3 {
namespace rt {

/// The next chunks of some streams, and the memory of their inputs and outputs.
class StreamBatch {
public:
  struct Entry {
    std::shared_ptr<ScheduledStream> stream;
    /// Arrival times of the oldest new frame and of the last one.
    Time oldest, ready;
    const float *rows = nullptr;
    int32_t numRows = 0; ///< without those of padding
    bool isLast = false, isCancelled = false;
    nnet3lib_status status = NNET3LIB_OK;
  };

  StreamBatch(const StreamFacts &facts, int32_t maxStreams);

  /// Starts a batch of at most \p most streams with chunk number \p number; -1
  /// for finished streams, which have no chunk.
  void begin(int32_t number, size_t most);
  /// Adds a stream and takes its frames.
  void add(ScheduledStream &stream);
  bool isFull() const { return entries.size() == most; }
  /// Computes the chunks, if there are any.
  void compute(const LibraryFunctions &functions, nnet3lib_stepper *stepper);
  /// Releases the streams.
  void clear() { entries.clear(); }

  int32_t chunk = -1;
  std::vector<Entry> entries;

private:
  void describe(size_t slot, ScheduledStream &stream);

  const StreamFacts &facts;
  const size_t maxStreams; ///< capacity of the memory
  size_t most = 0;         ///< capacity of this batch
  std::vector<float> inputs, ivectors, outputs;
  std::vector<nnet3lib_input> given; ///< two per stream
  std::vector<nnet3lib_output> wanted;
  std::vector<nnet3lib_step> steps;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_SCHEDULER_STREAMBATCH_H
