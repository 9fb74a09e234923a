//===- ForEachIndex.h - Independent work on threads -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TRAIN_CHAIN_FOREACHINDEX_H
#define NNET3_RUNTIME_TRAIN_CHAIN_FOREACHINDEX_H

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace nnet3 {
namespace rt {

/// Calls \p work with each index below \p count, on up to \p numThreads threads
/// including the caller's.
inline void forEachIndex(int32_t numThreads, int32_t count,
                         const std::function<void(int32_t)> &work) {
  std::atomic<int32_t> next{0};
  auto workOn = [&] {
    for (int32_t index = next++; index < count; index = next++)
      work(index);
  };
  std::vector<std::thread> others;
  for (int32_t i = 1; i < std::min(numThreads, count); ++i)
    others.emplace_back(workOn);
  workOn();
  for (std::thread &thread : others)
    thread.join();
}

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TRAIN_CHAIN_FOREACHINDEX_H
