//===- ReadyStreams.h - The streams that can be computed --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_SCHEDULER_READYSTREAMS_H
#define NNET3_RUNTIME_SCHEDULER_READYSTREAMS_H

#include "FrameQueue.h"

#include <set>

namespace nnet3 {
namespace rt {

struct ScheduledStream;

/// The streams that can be computed, ordered by kind, which is the number of
/// the next chunk, and by age. Moving a stream allocates nothing.
class ReadyStreams {
public:
  struct Entry {
    Time since;
    uint64_t number;
    ScheduledStream *stream;

    bool operator<(const Entry &other) const {
      return since != other.since ? since < other.since : number < other.number;
    }
  };
  using Entries = std::set<Entry>;
  /// The list node of a stream, which the stream keeps while it is in no list.
  using Place = Entries::node_type;
  static Place makePlace();

  /// \p numKinds is the number of kinds.
  explicit ReadyStreams(int32_t numKinds)
      : byKind(static_cast<size_t>(numKinds)) {
    positions.reserve(byKind.size());
  }

  void insert(int32_t kind, const Entry &entry, Place &place);
  Place remove(int32_t kind, const Entry &entry);

  size_t size() const { return numEntries; }
  size_t size(int32_t kind) const {
    return byKind[static_cast<size_t>(kind)].size();
  }

  /// Finds the oldest stream and returns its kind; -1 if there are none.
  int32_t findOldest(const Entry *&entry) const;

  /// Calls \p visit for the streams of kinds >= \p kind in order of age, until
  /// it returns false.
  template <typename Visit> void visit(int32_t kind, Visit visit) const {
    // There are few kinds.
    std::vector<Entries::const_iterator> &next = positions;
    next.clear();
    for (size_t i = static_cast<size_t>(kind); i < byKind.size(); ++i)
      next.push_back(byKind[i].begin());
    while (true) {
      size_t best = next.size();
      for (size_t i = 0; i < next.size(); ++i)
        if (next[i] != byKind[static_cast<size_t>(kind) + i].end() &&
            (best == next.size() || *next[i] < *next[best]))
          best = i;
      if (best == next.size() || !visit(*(next[best]++)->stream))
        return;
    }
  }

private:
  std::vector<Entries> byKind;
  size_t numEntries = 0;
  mutable std::vector<Entries::const_iterator> positions; ///< of visit()
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_SCHEDULER_READYSTREAMS_H
