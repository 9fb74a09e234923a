//===- ReadyStreams.cpp - The streams that can be computed ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReadyStreams.h"

using namespace nnet3::rt;

ReadyStreams::Place ReadyStreams::makePlace() {
  Entries entries;
  entries.insert(Entry());
  return entries.extract(entries.begin());
}

void ReadyStreams::insert(int32_t kind, const Entry &entry, Place &place) {
  place.value() = entry;
  byKind[static_cast<size_t>(kind)].insert(std::move(place));
  ++numEntries;
}

ReadyStreams::Place ReadyStreams::remove(int32_t kind, const Entry &entry) {
  --numEntries;
  return byKind[static_cast<size_t>(kind)].extract(entry);
}

int32_t ReadyStreams::findOldest(const Entry *&entry) const {
  int32_t found = -1;
  for (size_t kind = 0; kind < byKind.size(); ++kind) {
    if (byKind[kind].empty())
      continue;
    const Entry &first = *byKind[kind].begin();
    if (found >= 0 && !(first < *entry))
      continue;
    found = static_cast<int32_t>(kind);
    entry = &first;
  }
  return found;
}
