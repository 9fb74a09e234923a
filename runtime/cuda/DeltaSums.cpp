//===- DeltaSums.cpp - Sums of delta over processes -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeltaSums.h"

namespace nnet3 {
namespace rt {
namespace cuda {

Error DeltaSums::allocate(size_t floats) {
  const Error error = host.allocate(floats);
  return error
             ? error
             : device.getApi().driver.streamCreate(&copies, kStreamNonBlocking);
}

void DeltaSums::release() {
  const DriverApi &driver = device.getApi().driver;
  if (copies) {
    driver.streamSynchronize(copies);
    driver.streamDestroy(copies);
  }
  copies = nullptr;
  for (Event event : events)
    driver.eventDestroy(event);
  events.clear();
  host.release();
}

Error DeltaSums::reset(Pointer ofDelta, size_t floats) {
  delta = ofDelta;
  parts.clear();
  numBegun = 0;
  return copies ? 0 : allocate(floats);
}

Error DeltaSums::addEvent() {
  Event event = nullptr;
  const Error error =
      device.getApi().driver.eventCreate(&event, kEventDisableTiming);
  if (error == 0)
    events.push_back(event);
  return error;
}

Error DeltaSums::add(uint64_t place, int64_t count) {
  const DriverApi &driver = device.getApi().driver;
  Error error = parts.size() == events.size() ? addEvent() : 0;
  if (error)
    return error;
  // Marks at first that the part is complete, later that it is copied.
  Event event = events[parts.size()];
  error = driver.eventRecord(event, device.getStream());
  if (error == 0)
    error = driver.streamWaitEvent(copies, event, /*flags=*/0);
  if (error == 0)
    error = driver.copyToHost(host.get() + place, delta + sizeof(float) * place,
                              sizeof(float) * count, copies);
  if (error == 0)
    error = driver.eventRecord(event, copies);
  parts.push_back({place, count});
  return error;
}

/// Sums that have begun go on meanwhile.
Error DeltaSums::waitFor(Event copied) const {
  Error error = kNotReady;
  while ((error = device.getApi().driver.eventQuery(copied)) == kNotReady)
    device.getExchange()->progress();
  return error;
}

Error DeltaSums::begin() {
  Error error = 0;
  for (; numBegun < parts.size(); ++numBegun) {
    error = waitFor(events[numBegun]);
    if (error)
      return error;
    const Part &part = parts[numBegun];
    device.getExchange()->beginSum(host.get() + part.place, part.count);
  }
  return error;
}

Error DeltaSums::finish() {
  device.getExchange()->wait();
  Error error = 0;
  for (const Part &part : parts)
    if (error == 0)
      error = device.toDevice(delta + sizeof(float) * part.place,
                              host.get() + part.place, part.count);
  return error;
}

} // namespace cuda
} // namespace rt
} // namespace nnet3
