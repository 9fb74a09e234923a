//===- StartUpBenchmark.cpp - The first run of a library ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/NativeNetwork.h"
#include "support/Timing.h"

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

#include <benchmark/benchmark.h>

#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::benchmarks;

/// Reads or writes one byte of each page.
static void touch(char *memory, size_t bytes, bool writes) {
  constexpr size_t kPage = 4096;
  for (size_t i = 0; i < bytes; i += kPage) {
    if (writes)
      memory[i] = 1;
    benchmark::DoNotOptimize(memory[i]);
  }
}

/// Returns the seconds that the system takes to map the file and `bytes` bytes
/// of new memory.
static double measurePageIn(const std::string &path, size_t bytes) {
  int file = open(path.c_str(), O_RDONLY);
  struct stat info = {};
  if (file < 0 || fstat(file, &info) != 0)
    return 0;
  double time = seconds([&] {
    void *code = mmap(nullptr, info.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    void *arena = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code == MAP_FAILED || arena == MAP_FAILED)
      return;
    touch(static_cast<char *>(code), info.st_size, /*writes=*/false);
    touch(static_cast<char *>(arena), bytes, /*writes=*/true);
    munmap(code, info.st_size);
    munmap(arena, bytes);
  });
  close(file);
  return time;
}

/// Returns an entry of /proc/self/status in bytes; 0 if there is no such file.
static double getStatus(const char *name) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.compare(0, strlen(name), name) == 0)
      return std::stod(line.substr(strlen(name) + 1)) * 1024;
  return 0;
}

/// Resets the peak memory of the process to its current memory, and returns
/// that in bytes.
static double restartPeak() {
  std::ofstream("/proc/self/clear_refs") << "5";
  return getStatus("VmRSS");
}

/// Returns the largest number of bytes of matrices that are live at the same
/// time in an optimised computation.
static double getMatrixBytes(ComputationOp computation) {
  auto getBytes = [](Value matrix) {
    return 4.0 * double(cast<MemRefType>(matrix.getType()).getNumElements());
  };
  double bytes = 0, peak = 0;
  for (Operation &op : computation.getBody().front()) {
    if (isa<AcceptInputOp, AllocMatrixZeroedOp, AllocMatrixUndefinedOp>(op))
      bytes += getBytes(op.getResult(0));
    peak = std::max(peak, bytes);
    if (auto free = dyn_cast<DeallocMatrixOp>(op))
      bytes -= getBytes(free.getMatrix());
  }
  return peak;
}

/// Reports the time from opening the library to the first output. `start_ms` is
/// the excess over a later run, `run_ms`; `page_in_ms` of it is the time to map
/// the same number of pages. `matrices_ratio` is the size of the arena relative
/// to the matrices of the optimised computation; `peak_ratio` is the same for
/// all memory without the weights by which the process grew.
static void runStartUp(benchmark::State &state, StringRef name,
                       int32_t sequences) {
  Network network(name);
  RequestOp request = network.makeRequest(sequences, 150);
  NativeNetwork native(network, request);
  const double matrices = getMatrixBytes(network.compile(request));
  double total = 0, run = 0, pageIn = 0, peak = 0;
  for (auto _ : state) {
    native.run();
    run += seconds([&] { native.run(); });
    native.unload();
    pageIn += measurePageIn(native.getPath(), native.getInstanceBytes());
    const double before = restartPeak();
    double time = seconds([&] {
      native.load();
      native.run();
    });
    peak = std::max(peak, getStatus("VmHWM") - before);
    total += time;
    state.SetIterationTime(time);
  }
  const double rounds = double(state.iterations());
  state.counters["run_ms"] = run / rounds * 1e3;
  state.counters["page_in_ms"] = pageIn / rounds * 1e3;
  state.counters["start_ms"] = (total - run) / rounds * 1e3;
  state.counters["weights_mb"] = double(native.getWeightsBytes()) * 1e-6;
  state.counters["matrices_mb"] = matrices * 1e-6;
  state.counters["matrices_ratio"] =
      double(native.getInstanceBytes()) / matrices;
  state.counters["peak_ratio"] =
      (peak - double(native.getWeightsBytes())) / matrices;
}

static bool registerAll() {
  for (StringRef name : getNetworkNames())
    for (int32_t sequences : {1, 64}) {
      std::string title =
          ("native-start/" + name + "/n:" + Twine(sequences) + "/t:150").str();
      benchmark::RegisterBenchmark(
          title.c_str(),
          [=](auto &state) { runStartUp(state, name, sequences); })
          ->UseManualTime()
          ->Iterations(5)
          ->Unit(benchmark::kMillisecond);
    }
  return true;
}

static bool registered = registerAll();
