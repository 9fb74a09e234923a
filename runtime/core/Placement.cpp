//===- Placement.cpp - Offsets in an arena --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/runtime/Placement.h"

#include <algorithm>
#include <map>
#include <queue>
#include <set>
#include <tuple>

namespace nnet3 {
namespace rt {

/// Limit of the number of lifetimes for placeBySize(), which takes quadratic
/// time.
static constexpr size_t kMaxBySize = 512;

namespace {

/// Unbounded memory with a free list.
class FreeSpace {
public:
  explicit FreeSpace(int64_t begin) : end(begin) {}

  /// Allocates from the smallest sufficient gap, the first of equal ones. If
  /// there is none, the memory grows.
  int64_t take(int64_t size);
  void giveBack(int64_t offset, int64_t size);
  int64_t getEnd() const { return end; }

private:
  using Gap = std::map<int64_t, int64_t>::iterator;
  void add(int64_t offset, int64_t size);
  void remove(Gap gap);

  int64_t end;                     ///< end of the memory used so far
  std::map<int64_t, int64_t> gaps; ///< offset and size
  std::set<std::pair<int64_t, int64_t>> bySize; ///< size and offset
};

} // namespace

void FreeSpace::add(int64_t offset, int64_t size) {
  if (size == 0)
    return;
  gaps.emplace(offset, size);
  bySize.emplace(size, offset);
}

void FreeSpace::remove(Gap gap) {
  bySize.erase({gap->second, gap->first});
  gaps.erase(gap);
}

int64_t FreeSpace::take(int64_t size) {
  auto best = bySize.lower_bound({size, 0});
  if (best != bySize.end()) {
    auto [gapSize, offset] = *best;
    remove(gaps.find(offset));
    add(offset + size, gapSize - size);
    return offset;
  }
  int64_t offset = end;
  if (!gaps.empty()) {
    Gap last = std::prev(gaps.end());
    if (last->first + last->second == end) {
      offset = last->first;
      remove(last);
    }
  }
  end = offset + size;
  return offset;
}

void FreeSpace::giveBack(int64_t offset, int64_t size) {
  Gap next = gaps.lower_bound(offset);
  if (next != gaps.begin()) {
    Gap before = std::prev(next);
    if (before->first + before->second == offset) {
      offset = before->first;
      size += before->second;
      remove(before);
    }
  }
  if (next != gaps.end() && next->first == offset + size) {
    size += next->second;
    remove(next);
  }
  add(offset, size);
}

static std::vector<Lifetime *> listAll(std::vector<Lifetime> &lifetimes) {
  std::vector<Lifetime *> all;
  all.reserve(lifetimes.size());
  for (Lifetime &lifetime : lifetimes)
    all.push_back(&lifetime);
  return all;
}

/// Assigns offsets in order of `begin`, like an online best-fit allocator.
static int64_t placeByBegin(std::vector<Lifetime> &lifetimes,
                            int64_t reserved) {
  std::vector<Lifetime *> order = listAll(lifetimes);
  std::sort(order.begin(), order.end(),
            [](const Lifetime *a, const Lifetime *b) {
              return std::tuple(a->begin, -a->size, a) <
                     std::tuple(b->begin, -b->size, b);
            });
  // Live buffers, ordered by end.
  using Ending = std::pair<int64_t, const Lifetime *>;
  auto later = [](const Ending &a, const Ending &b) {
    return std::pair(a.first, a.second->offset) >
           std::pair(b.first, b.second->offset);
  };
  std::priority_queue<Ending, std::vector<Ending>, decltype(later)> alive(
      later);
  FreeSpace space(reserved);
  for (Lifetime *lifetime : order) {
    while (!alive.empty() && alive.top().first < lifetime->begin) {
      const Lifetime *gone = alive.top().second;
      alive.pop();
      space.giveBack(gone->offset, gone->size);
    }
    lifetime->offset = space.take(lifetime->size);
    if (space.getEnd() > kMaxPlacementEnd)
      break;
    alive.push({lifetime->end, lifetime});
  }
  return space.getEnd();
}

/// Assigns offsets by decreasing size, each the lowest offset that is free
/// during the whole lifetime.
static int64_t placeBySize(std::vector<Lifetime> &lifetimes, int64_t reserved) {
  std::vector<Lifetime *> order = listAll(lifetimes);
  std::sort(order.begin(), order.end(),
            [](const Lifetime *a, const Lifetime *b) {
              return std::pair(-a->size, a) < std::pair(-b->size, b);
            });
  int64_t end = reserved;
  std::vector<Lifetime *> placed; // by offset
  for (Lifetime *lifetime : order) {
    int64_t offset = reserved;
    for (const Lifetime *other : placed) {
      if (other->begin > lifetime->end || lifetime->begin > other->end)
        continue;
      if (offset + lifetime->size <= other->offset)
        break;
      offset = std::max(offset, other->offset + other->size);
    }
    lifetime->offset = offset;
    end = std::max(end, offset + lifetime->size);
    placed.insert(std::upper_bound(placed.begin(), placed.end(), lifetime,
                                   [](const Lifetime *a, const Lifetime *b) {
                                     return a->offset < b->offset;
                                   }),
                  lifetime);
  }
  return end;
}

/// Reverses the direction of time.
static void reverse(std::vector<Lifetime> &lifetimes) {
  for (Lifetime &lifetime : lifetimes)
    std::tie(lifetime.begin, lifetime.end) =
        std::pair(-lifetime.end, -lifetime.begin);
}

int64_t placeLifetimes(std::vector<Lifetime> &lifetimes, int64_t reserved) {
  int64_t end = placeByBegin(lifetimes, reserved);
  auto improve = [&](std::vector<Lifetime> other, int64_t otherEnd) {
    if (otherEnd >= end)
      return;
    end = otherEnd;
    lifetimes = std::move(other);
  };
  std::vector<Lifetime> backward = lifetimes;
  reverse(backward);
  int64_t backwardEnd = placeByBegin(backward, reserved);
  reverse(backward);
  improve(std::move(backward), backwardEnd);
  if (lifetimes.size() <= kMaxBySize) {
    std::vector<Lifetime> bySize = lifetimes;
    int64_t bySizeEnd = placeBySize(bySize, reserved);
    improve(std::move(bySize), bySizeEnd);
  }
  return end;
}

} // namespace rt
} // namespace nnet3
