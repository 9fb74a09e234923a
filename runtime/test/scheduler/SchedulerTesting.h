//===- SchedulerTesting.h - Schedulers of the small stream ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TEST_SCHEDULER_SCHEDULERTESTING_H
#define NNET3_RUNTIME_TEST_SCHEDULER_SCHEDULERTESTING_H

#include "scheduler/SchedulerApi.h"
#include "test/library/SmallStream.h"

#include <map>
#include <mutex>

namespace nnet3 {
namespace rt {
namespace test {

/// Returns the functions of the linked library.
LibraryFunctions getLinkedFunctions();

/// Blocks the steps of a scheduler created with functions() until it is opened.
/// Only one may exist at a time.
class Gate {
public:
  Gate();
  ~Gate();
  void open();
  void close();
  /// Waits until a worker is blocked.
  void awaitStep();
  /// Returns the number of streams and the chunk length of each step.
  std::vector<std::pair<int32_t, int32_t>> getSteps() const;
  /// Steps whose first input number is at least this fail.
  float failsFrom = 1e9f;

  /// Functions whose steps go through the gate.
  static LibraryFunctions functions();

private:
  static nnet3lib_status step(nnet3lib_stepper *stepper, int32_t numFrames,
                              nnet3lib_step *steps, int32_t numSteps);
  static Gate *current;

  mutable std::mutex lock;
  std::condition_variable changed;
  bool isOpen = false;
  int32_t numHeld = 0;
  std::vector<std::pair<int32_t, int32_t>> log;
};

/// A scheduler of the small stream.
struct TestScheduler {
  explicit TestScheduler(
      const nnet3sc_options &options = {},
      const LibraryFunctions &functions = getLinkedFunctions());
  ~TestScheduler() { destroy(); }
  void destroy();

  nnet3sc_stream open();
  nnet3sc_metrics getMetrics() const;
  /// Returns all outputs of a closed stream.
  std::vector<float> pollAll(nnet3sc_stream stream);

  SmallStream library;
  nnet3sc_status status;
  std::string message;
  nnet3sc_scheduler *scheduler = nullptr;
};

/// Collects the results of callbacks by stream.
struct Collector {
  struct Given {
    std::vector<float> rows;
    bool hasEnded = false;
    nnet3sc_status status = NNET3SC_OK;
    int32_t stepStatus = 0;
  };

  static void take(void *context, nnet3sc_stream stream,
                   const nnet3sc_result *result);
  Given get(nnet3sc_stream stream) const;
  /// Waits until \p count streams have ended.
  void awaitEnds(size_t count);
  /// Returns options for a scheduler that passes its outputs to this collector.
  nnet3sc_options options();

  mutable std::mutex lock;
  std::condition_variable changed;
  std::map<nnet3sc_stream, Given> given;
  size_t numEnded = 0;
};

/// Makes \p count numbers that depend on \p seed.
std::vector<float> makeFrames(uint32_t seed, size_t count);

} // namespace test
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_SCHEDULER_SCHEDULERTESTING_H
