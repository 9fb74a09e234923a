//===- GpuEmulator.cpp - Executes kernels like a GPU ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GpuEmulator.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>
#include <numeric>
#include <random>

using namespace mlir::nnet3::test;

/// The emulator whose kernel this thread executes.
static thread_local GpuEmulator *running = nullptr;

static uint32_t hookIndex(uint32_t which) { return running->getIndex(which); }

static void hookBarrier(uint32_t site) {
  running->getBlock().waitForBlock(site);
}

static uint64_t hookShuffle(uint32_t site, uint32_t mode, uint32_t mask,
                            uint32_t value, uint32_t b, uint32_t c) {
  return running->getBlock().shuffle(site,
                                     {ShuffleMode(mode), mask, value, b, c});
}

static void hookAccess(const void *address, uint32_t bytes, uint32_t alignment,
                       uint32_t writes) {
  running->access(
      {static_cast<const char *>(address), bytes, alignment, writes != 0});
}

llvm::ArrayRef<EmulatorHook> mlir::nnet3::test::getEmulatorHooks() {
  static const EmulatorHook hooks[] = {
      {kIndexHook, reinterpret_cast<const void *>(&hookIndex)},
      {kBarrierHook, reinterpret_cast<const void *>(&hookBarrier)},
      {kShuffleHook, reinterpret_cast<const void *>(&hookShuffle)},
      {kAccessHook, reinterpret_cast<const void *>(&hookAccess)}};
  return hooks;
}

static uint32_t count(const uint32_t (&dimensions)[3]) {
  return dimensions[0] * dimensions[1] * dimensions[2];
}

/// Returns the index in dimension x, y or z.
static uint32_t split(uint32_t number, const uint32_t (&dimensions)[3],
                      uint32_t axis) {
  for (uint32_t i = 0; i < axis; ++i)
    number /= dimensions[i];
  return number % dimensions[axis];
}

uint32_t GpuEmulator::getIndex(uint32_t which) const {
  const uint32_t axis = which % 3;
  switch (which / 3) {
  case 0:
    return split(block.getThread(), grid.threads, axis);
  case 1:
    return grid.threads[axis];
  case 2:
    return split(blockNumber, grid.blocks, axis);
  default:
    return grid.blocks[axis];
  }
}

std::vector<uint32_t> GpuEmulator::makeOrder(uint32_t count,
                                             uint64_t number) const {
  std::vector<uint32_t> result(count);
  std::iota(result.begin(), result.end(), 0);
  if (order == 1)
    std::reverse(result.begin(), result.end());
  else if (order > 1)
    llvm::shuffle(result.begin(), result.end(),
                  std::mt19937_64(order * 1000003 + number));
  return result;
}

void GpuEmulator::report(const char *kind, const std::string &text) {
  if (reported.emplace(kernel->name, kind).second)
    findings.push_back(kernel->name + ": " + kind + ": " + text);
}

std::string GpuEmulator::describeThread() const {
  return "thread " + std::to_string(block.getThread()) + " of block " +
         std::to_string(blockNumber);
}

void GpuEmulator::access(const MemoryAccess &access) {
  if (std::string fault = shadow.checkPlace(access); !fault.empty()) {
    report("fault", describeThread() + " " + fault);
    block.fail(std::move(fault));
  }
  const Accessor by{numLaunches,          blockNumber,
                    block.getPhase(),     block.getThread() / kWarp,
                    block.getWarpPhase(), block.getThread()};
  if (std::string race = shadow.record(access, by); !race.empty())
    report("race", describeThread() + " " + race);
}

/// Returns true if the launch can continue.
bool GpuEmulator::runBlock(void **parameters) {
  for (const MemoryRange &memory : kernel->shared)
    std::memset(const_cast<char *>(memory.begin), 0xff, memory.bytes);
  const auto threads = makeOrder(count(grid.threads), blockNumber);
  const std::string failure =
      block.run(threads, [&] { kernel->entry(parameters); });
  if (failure.empty())
    return true;
  // Faults have been reported where they were.
  if (!reported.count({kernel->name, "fault"}))
    report("synchronization",
           failure + ", in block " + std::to_string(blockNumber));
  return false;
}

void GpuEmulator::launch(const EmulatedKernel &newKernel,
                         const LaunchGrid &newGrid, void **parameters,
                         std::vector<MemoryRange> memory) {
  const std::lock_guard<std::mutex> lock(mutex);
  running = this;
  kernel = &newKernel;
  grid = newGrid;
  ++numLaunches;
  llvm::append_range(memory, kernel->shared);
  shadow.setRanges(memory);
  if (kernel->maxThreads && count(grid.threads) > kernel->maxThreads)
    report("launch", std::to_string(count(grid.threads)) +
                         " threads, but it is compiled for at most " +
                         std::to_string(kernel->maxThreads));
  for (uint32_t number : makeOrder(count(grid.blocks), 0)) {
    blockNumber = number;
    if (!runBlock(parameters))
      break;
  }
}
