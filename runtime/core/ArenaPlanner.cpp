//===- ArenaPlanner.cpp - Where matrices lie in memory --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ArenaPlanner.h"

#include <iterator>

namespace nnet3 {
namespace rt {

static uint64_t roundUp(uint64_t size) {
  return (size + ArenaPlanner::kAlignment - 1) / ArenaPlanner::kAlignment *
         ArenaPlanner::kAlignment;
}

void ArenaPlanner::insertFree(uint64_t offset, uint64_t size) {
  freeByOffset.emplace(offset, size);
  freeBySize.emplace(size, offset);
}

void ArenaPlanner::eraseFree(std::map<uint64_t, uint64_t>::iterator range) {
  freeBySize.erase({range->second, range->first});
  freeByOffset.erase(range);
}

uint64_t ArenaPlanner::allocate(uint64_t size) {
  size = roundUp(size);
  auto best = freeBySize.lower_bound({size, 0});
  if (best != freeBySize.end()) {
    const auto [rangeSize, offset] = *best;
    eraseFree(freeByOffset.find(offset));
    if (rangeSize > size)
      insertFree(offset + size, rangeSize - size);
    return offset;
  }
  // None is large enough. One that touches the end needs only the rest.
  uint64_t offset = end;
  if (!freeByOffset.empty()) {
    auto last = std::prev(freeByOffset.end());
    if (last->first + last->second == end) {
      offset = last->first;
      eraseFree(last);
    }
  }
  end = offset + size;
  return offset;
}

void ArenaPlanner::release(uint64_t offset, uint64_t size) {
  size = roundUp(size);
  auto next = freeByOffset.lower_bound(offset);
  if (next != freeByOffset.end() && next->first == offset + size) {
    size += next->second;
    eraseFree(next++);
  }
  if (next != freeByOffset.begin()) {
    auto previous = std::prev(next);
    if (previous->first + previous->second == offset) {
      offset = previous->first;
      size += previous->second;
      eraseFree(previous);
    }
  }
  insertFree(offset, size);
}

} // namespace rt
} // namespace nnet3
