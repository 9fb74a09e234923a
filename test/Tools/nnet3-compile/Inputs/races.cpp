// Generated code with ThreadSanitizer: two instances at once, each with a pool
// of three threads. With OVERLAP the threads of a pool do the same rows.

#include "core/ThreadPool.h"

#include <cstdio>
#include <functional>
#include <thread>

using namespace nnet3::rt;

/// Without row tables.
extern "C" void REQUEST(float *arena, const float *weights,
                        const int32_t *tables, void *context);

using RowsFn = void (*)(float *, const float *, const int32_t *, void *,
                        const int64_t *, int64_t, int64_t);

namespace {
struct Rows final : RangeTask {
  Rows(std::function<void(int64_t, int64_t)> body) : body(std::move(body)) {}
  void run(int64_t begin, int64_t end) const override { body(begin, end); }
  std::function<void(int64_t, int64_t)> body;
};
} // namespace

extern "C" void nnet3lib_parallel_rows(float *arena, const float *weights,
                                       const int32_t *tables, void *context,
                                       const int64_t *places, int64_t count,
                                       RowsFn rows) {
  auto *pool = static_cast<ThreadPool *>(context);
  const Rows task([&](int64_t begin, int64_t end) {
#ifdef OVERLAP
    begin = 0;
    end = count;
#endif
    rows(arena, weights, tables, context, places, begin, end);
  });
  pool->run(task, count);
}

/// The components that the runtime runs are not what is looked at here.
extern "C" void nnet3lib_propagate(void *, int32_t, const float *, int64_t,
                                   float *, int64_t) {}

static std::vector<float> run(const std::vector<float> &weights,
                              int32_t numThreads) {
  auto pool = ThreadPool::create(numThreads);
  std::vector<float> memory(ARENA + 16);
  float *arena = memory.data();
  while (reinterpret_cast<uintptr_t>(arena) % 64 != 0)
    ++arena;
  for (int64_t i = 0; i < ARENA; ++i)
    arena[i] = float(i * 7919 % 1000) / 500 - 1;
  REQUEST(arena, weights.data(), /*tables=*/nullptr, pool.get());
  return {arena, arena + ARENA};
}

int main() {
  std::vector<float> weights(WEIGHTS);
  for (int64_t i = 0; i < WEIGHTS; ++i)
    weights[i] = float(i * 104729 % 1000) / 5000 - 0.1f;
  const std::vector<float> expected = run(weights, 1);
  std::vector<float> results[2];
  std::thread other([&] { results[0] = run(weights, 3); });
  results[1] = run(weights, 3);
  other.join();
  for (const std::vector<float> &result : results)
    std::puts(result == expected ? "equal" : "DIFFERENT");
}
