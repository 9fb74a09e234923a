//===- LoopedList.h - Lists of integers written as loops --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs and libraries keep tables of rows and lists of indexes as loops, so
// that their size does not depend on the number of sequences. The code of a
// list is a sequence of items in prefix form:
//
//   0, value                            the value
//   1                                   -1, which no loop changes
//   2, count, stride, length, items...  the items in the next `length` words,
//                                       `count` times, each time with values
//                                       that are `stride` larger
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_LOOPEDLIST_H
#define NNET3_RUNTIME_LOOPEDLIST_H

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace nnet3 {
namespace rt {
namespace looped_list {

enum Item : int32_t { kValue = 0, kNone = 1, kLoop = 2 };
constexpr int32_t kLoopHead = 4; ///< words before the items of a loop
constexpr int kMaxDepth = 32;
constexpr int64_t kMaxEntries = std::numeric_limits<int32_t>::max();

inline int64_t count(const int32_t *code, int64_t size, int depth) {
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

inline bool list(const int32_t *code, int64_t size, int64_t offset,
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

} // namespace looped_list

/// How many entries the \p size words of \p code list; -1 if it is malformed,
/// or lists 2^31 or more. Takes time proportional to the code.
inline int64_t countEntries(const int32_t *code, int64_t size) {
  return looped_list::count(code, size, 0);
}

/// Appends the entries of well-formed \p code to \p entries. False if one of
/// them is no 32-bit integer.
inline bool listEntries(const int32_t *code, int64_t size,
                        std::vector<int32_t> &entries) {
  entries.reserve(entries.size() +
                  static_cast<std::size_t>(countEntries(code, size)));
  return looped_list::list(code, size, 0, entries);
}

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_LOOPEDLIST_H
