//===- ShadowMemory.cpp - Accesses to device memory -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ShadowMemory.h"

using namespace mlir::nnet3::test;

static constexpr size_t kWordBytes = 4;

void ShadowMemory::setRanges(const std::vector<MemoryRange> &now) {
  std::map<const char *, Range> known = std::move(ranges);
  ranges.clear();
  last = nullptr;
  for (const MemoryRange &memory : now) {
    auto it = known.find(memory.begin);
    if (it != known.end() && it->second.memory.bytes == memory.bytes) {
      it->second.memory = memory;
      ranges.insert(known.extract(it));
      continue;
    }
    void *words = std::calloc(memory.bytes / kWordBytes + 1, sizeof(Word));
    ranges.emplace(memory.begin,
                   Range{memory, {static_cast<Word *>(words), &std::free}});
  }
}

/// Returns the last range that begins at or before `address`.
ShadowMemory::Range *ShadowMemory::find(const char *address) {
  if (last && address >= last->memory.begin &&
      address < last->memory.begin + last->memory.bytes)
    return last;
  auto next = ranges.upper_bound(address);
  return last = next == ranges.begin() ? nullptr : &std::prev(next)->second;
}

/// Formats an access, such as "reads 4 bytes".
static std::string describe(const MemoryAccess &access) {
  return (access.writes ? "writes " : "reads ") + std::to_string(access.bytes) +
         " bytes";
}

std::string ShadowMemory::checkPlace(const MemoryAccess &access) {
  const Range *range = find(access.address);
  const char *end = range ? range->memory.begin + range->memory.bytes : nullptr;
  if (!range || access.address + access.bytes > end)
    return describe(access) +
           (range ? " " + std::to_string(access.address - end) +
                        " bytes behind the end of the " + range->memory.name
                  : " of no memory");
  if (uintptr_t(access.address) % access.alignment)
    return describe(access) + " at byte " +
           std::to_string(access.address - range->memory.begin) + " of the " +
           range->memory.name + ", which is not aligned to " +
           std::to_string(access.alignment);
  return "";
}

/// Returns true if no barrier orders the accesses. Blocks do not see each
/// other's shared memory.
static bool races(const Accessor &a, const Accessor &b, bool isShared) {
  if (a.launch != b.launch)
    return false;
  if (a.block != b.block)
    return !isShared;
  if (a.phase != b.phase)
    return false;
  return a.warp != b.warp ||
         (a.warpPhase == b.warpPhase && a.thread != b.thread);
}

const Accessor *ShadowMemory::recordRead(Word &word, const Accessor &by,
                                         bool isShared) {
  if (word.reader.launch == by.launch) {
    if (word.reader.block != by.block)
      word.foreignReader = word.reader;
    else if (word.reader.phase == by.phase && word.reader.warp != by.warp)
      word.distantReader = word.reader;
    else if (word.reader.thread != by.thread)
      word.otherReader = word.reader;
  }
  word.reader = by;
  return races(word.writer, by, isShared) ? &word.writer : nullptr;
}

const Accessor *ShadowMemory::recordWrite(Word &word, const Accessor &by,
                                          bool isShared) {
  const Accessor *found = nullptr;
  for (const Accessor *other : {&word.writer, &word.reader, &word.otherReader,
                                &word.distantReader, &word.foreignReader})
    if (!found && races(*other, by, isShared))
      found = other;
  return found;
}

std::string ShadowMemory::record(const MemoryAccess &access,
                                 const Accessor &by) {
  Range &range = *find(access.address);
  const size_t begin = access.address - range.memory.begin;
  const size_t end = begin + access.bytes;
  std::string text;
  for (size_t i = begin / kWordBytes; i * kWordBytes < end; ++i) {
    Word &word = range.words.get()[i];
    const bool isShared = range.memory.isShared;
    const Accessor *other = access.writes ? recordWrite(word, by, isShared)
                                          : recordRead(word, by, isShared);
    if (other && text.empty())
      text = std::string(access.writes ? "writes" : "reads") + " word " +
             std::to_string(i) + " of the " + range.memory.name + ", which " +
             "thread " + std::to_string(other->thread) + " of block " +
             std::to_string(other->block) +
             (other == &word.writer ? " writes" : " reads") +
             " with nothing between";
    if (access.writes)
      word.writer = by;
  }
  return text;
}
