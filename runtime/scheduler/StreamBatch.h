//===- StreamBatch.h - What a worker computes -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_SCHEDULER_STREAMBATCH_H
#define NNET3_RUNTIME_SCHEDULER_STREAMBATCH_H

#include "ScheduledStream.h"

namespace nnet3 {
namespace rt {

/// The next chunks of some streams, with the memory for their inputs and
/// outputs.
class StreamBatch {
public:
  struct Entry {
    std::shared_ptr<ScheduledStream> stream;
    /// When the oldest new frame arrived, and when all were there.
    Time oldest, ready;
    const float *rows = nullptr;
    int32_t numRows = 0; ///< of frames that were there
    bool isLast = false, isCancelled = false;
    nnet3lib_status status = NNET3LIB_OK;
  };

  StreamBatch(const StreamFacts &facts, int32_t maxStreams);

  /// Begins a batch of at most \p most streams with chunk number \p number; -1:
  /// of no chunk, for streams that have ended.
  void begin(int32_t number, size_t most);
  /// Adds a stream and takes its frames.
  void add(ScheduledStream &stream);
  bool isFull() const { return entries.size() == most; }
  /// Computes the chunks; nothing where there is none.
  void compute(const LibraryFunctions &functions, nnet3lib_stepper *stepper);
  /// Lets go of the streams.
  void clear() { entries.clear(); }

  int32_t chunk = -1;
  std::vector<Entry> entries;

private:
  void describe(size_t slot, ScheduledStream &stream);

  const StreamFacts &facts;
  const size_t maxStreams; ///< that there is memory for
  size_t most = 0;         ///< of this batch
  std::vector<float> inputs, ivectors, outputs;
  std::vector<nnet3lib_input> given; ///< two of each stream
  std::vector<nnet3lib_output> wanted;
  std::vector<nnet3lib_step> steps;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_SCHEDULER_STREAMBATCH_H
