//===- SchedulerTesting.cpp - Schedulers of the small stream --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SchedulerTesting.h"

#include <gtest/gtest.h>
#include <random>

namespace nnet3 {
namespace rt {
namespace test {

LibraryFunctions getLinkedFunctions() {
  LibraryFunctions functions;
  functions.error_text = nnet3lib_error_text;
  functions.get_stream_info = nnet3lib_get_stream_info;
  functions.get_chunk_info = nnet3lib_get_chunk_info;
  functions.state_init = nnet3lib_state_init;
  functions.stepper_create = nnet3lib_stepper_create;
  functions.stepper_destroy = nnet3lib_stepper_destroy;
  functions.stepper_step_batch = nnet3lib_stepper_step_batch;
  return functions;
}

//===----------------------------------------------------------------------===//
// Gates
//===----------------------------------------------------------------------===//

Gate *Gate::current = nullptr;

Gate::Gate() { current = this; }
Gate::~Gate() { current = nullptr; }

void Gate::open() {
  const std::lock_guard<std::mutex> hold(lock);
  isOpen = true;
  changed.notify_all();
}

void Gate::close() {
  const std::lock_guard<std::mutex> hold(lock);
  isOpen = false;
}

void Gate::awaitStep() {
  std::unique_lock<std::mutex> hold(lock);
  changed.wait(hold, [&] { return numHeld > 0; });
}

std::vector<std::pair<int32_t, int32_t>> Gate::getSteps() const {
  const std::lock_guard<std::mutex> hold(lock);
  return log;
}

nnet3lib_status Gate::step(nnet3lib_stepper *stepper, int32_t numFrames,
                           nnet3lib_step *steps, int32_t numSteps) {
  Gate &gate = *current;
  std::unique_lock<std::mutex> hold(gate.lock);
  gate.log.emplace_back(numSteps, numFrames);
  ++gate.numHeld;
  gate.changed.notify_all();
  gate.changed.wait(hold, [&] { return gate.isOpen; });
  --gate.numHeld;
  hold.unlock();
  for (int32_t i = 0; i < numSteps; ++i)
    if (steps[i].inputs->data[0] >= gate.failsFrom)
      static_cast<unsigned char *>(steps[i].state)[0] ^= 0xff;
  return nnet3lib_stepper_step_batch(stepper, numFrames, steps, numSteps);
}

LibraryFunctions Gate::functions() {
  LibraryFunctions functions = getLinkedFunctions();
  functions.stepper_step_batch = step;
  return functions;
}

//===----------------------------------------------------------------------===//
// Schedulers
//===----------------------------------------------------------------------===//

TestScheduler::TestScheduler(const nnet3sc_options &given,
                             const LibraryFunctions &functions) {
  char text[256];
  nnet3sc_options options = given;
  options.struct_size = sizeof(options);
  options.message = text;
  options.message_size = sizeof(text);
  status = createScheduler(functions, library.opened.model.get(), nullptr,
                           &options, &scheduler);
  message = text;
}

void TestScheduler::destroy() {
  nnet3sc_destroy(scheduler);
  scheduler = nullptr;
}

nnet3sc_stream TestScheduler::open() {
  nnet3sc_stream stream = 0;
  EXPECT_EQ(nnet3sc_open(scheduler, &stream), NNET3SC_OK);
  return stream;
}

nnet3sc_metrics TestScheduler::getMetrics() const {
  auto metrics = sized<nnet3sc_metrics>();
  EXPECT_EQ(nnet3sc_get_metrics(scheduler, &metrics), NNET3SC_OK);
  return metrics;
}

std::vector<float> TestScheduler::pollAll(nnet3sc_stream stream) {
  std::vector<float> outputs;
  while (true) {
    float rows[3];
    int32_t count = 0;
    const nnet3sc_status result =
        nnet3sc_poll(scheduler, stream, rows, 3, 10, &count);
    if (result != NNET3SC_OK) {
      EXPECT_EQ(result, NNET3SC_ENDED);
      return outputs;
    }
    outputs.insert(outputs.end(), rows, rows + count);
  }
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

void Collector::take(void *context, nnet3sc_stream stream,
                     const nnet3sc_result *result) {
  auto &self = *static_cast<Collector *>(context);
  const std::lock_guard<std::mutex> hold(self.lock);
  Given &given = self.given[stream];
  EXPECT_FALSE(given.hasEnded) << stream;
  EXPECT_EQ(result->num_cols, 1);
  given.rows.insert(given.rows.end(), result->rows,
                    result->rows + result->num_rows);
  if (!result->is_last)
    return;
  given.hasEnded = true;
  given.status = result->status;
  given.stepStatus = result->step_status;
  ++self.numEnded;
  self.changed.notify_all();
}

Collector::Given Collector::get(nnet3sc_stream stream) const {
  const std::lock_guard<std::mutex> hold(lock);
  const auto found = given.find(stream);
  return found == given.end() ? Given() : found->second;
}

void Collector::awaitEnds(size_t count) {
  std::unique_lock<std::mutex> hold(lock);
  changed.wait(hold, [&] { return numEnded >= count; });
}

nnet3sc_options Collector::options() {
  nnet3sc_options options = {};
  options.on_result = take;
  options.context = this;
  return options;
}

std::vector<float> makeFrames(uint32_t seed, size_t count) {
  std::minstd_rand random(seed + 1);
  std::uniform_real_distribution<float> values(-1, 1);
  std::vector<float> frames(count);
  for (float &frame : frames)
    frame = values(random);
  return frames;
}

} // namespace test
} // namespace rt
} // namespace nnet3
