//===- LoopedList.cpp - Lists of integers written as loops ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LoopedList.h"

#include <limits>

namespace nnet3 {
namespace rt {
namespace {

enum Item : int32_t { kValue = 0, kNone = 1, kLoop = 2 };
constexpr int32_t kLoopHead = 4; ///< words before the items of a loop
constexpr int kMaxDepth = 32;
constexpr int64_t kMaxEntries = std::numeric_limits<int32_t>::max();

} // namespace

static int64_t count(const int32_t *code, int64_t size, int depth) {
  int64_t total = 0;
  for (int64_t i = 0; i < size;) {
    const int64_t left = size - i;
    int64_t entries = 1;
    if (code[i] == kValue && left >= 2) {
      i += 2;
    } else if (code[i] == kNone) {
      i += 1;
    } else if (code[i] == kLoop && left > kLoopHead && depth < kMaxDepth) {
      const int64_t rounds = code[i + 1], length = code[i + 3];
      if (rounds < 1 || length < 1 || length > left - kLoopHead)
        return -1;
      entries = count(code + i + kLoopHead, length, depth + 1);
      if (entries < 0 || entries > kMaxEntries / rounds)
        return -1;
      entries *= rounds;
      i += kLoopHead + length;
    } else {
      return -1;
    }
    total += entries;
    if (total > kMaxEntries)
      return -1;
  }
  return total;
}

static bool list(const int32_t *code, int64_t size, int64_t offset,
                 std::vector<int32_t> &entries) {
  for (int64_t i = 0; i < size;) {
    if (code[i] == kNone) {
      entries.push_back(-1);
      i += 1;
    } else if (code[i] == kValue) {
      const int64_t value = code[i + 1] + offset;
      if (value < std::numeric_limits<int32_t>::min() ||
          value > std::numeric_limits<int32_t>::max())
        return false;
      entries.push_back(static_cast<int32_t>(value));
      i += 2;
    } else {
      const int64_t rounds = code[i + 1], stride = code[i + 2],
                    length = code[i + 3];
      for (int64_t round = 0; round < rounds; ++round)
        if (!list(code + i + kLoopHead, length, offset + round * stride,
                  entries))
          return false;
      i += kLoopHead + length;
    }
  }
  return true;
}

int64_t countEntries(const ListCode *code) {
  return code ? count(code->data(), code->size(), 0) : 0;
}

bool listEntries(const ListCode *code, std::vector<int32_t> &entries) {
  entries.clear();
  entries.reserve(static_cast<size_t>(countEntries(code)));
  return !code || list(code->data(), code->size(), 0, entries);
}

} // namespace rt
} // namespace nnet3
