//===- ExampleMerger.cpp - Minibatches from a stream of examples ----------===//

#include "ExampleMerger.h"

#include "llvm/Support/raw_ostream.h"

using namespace nnet3;
using llvm::Error;

/// The largest number of indexes of an io.
static int32_t getSize(const NnetExample &example) {
  size_t size = 0;
  for (const NnetIo &io : example.io)
    size = std::max(size, io.indexes.size());
  return size;
}

/// A text that is the same for examples that can be merged.
static std::string describeStructure(const NnetExample &example) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const NnetIo &io : example.io) {
    os << io.name << ' ' << getNumCols(io.features);
    for (const RowIndex &index : io.indexes)
      os << ' ' << index.n << ',' << index.t << ',' << index.x;
    os << '\n';
  }
  return text;
}

/// Merges the first `size` examples of `group`.
Error ExampleMerger::writeFirst(Group &group, int32_t size) {
  auto minibatch =
      mergeExamples(llvm::ArrayRef<NnetExample>(group).take_front(size));
  if (!minibatch)
    return minibatch.takeError();
  group.erase(group.begin(), group.begin() + size);
  std::string key =
      "merged-" + std::to_string(numWritten++) + "-" + std::to_string(size);
  return write(key, *minibatch);
}

Error ExampleMerger::accept(NnetExample example) {
  int32_t largest = sizes.getLargest(getSize(example));
  auto [place, isNew] =
      groupOf.try_emplace(describeStructure(example), groups.size());
  if (isNew)
    groups.emplace_back();
  Group &group = groups[place->second];
  group.push_back(std::move(example));
  return group.size() < size_t(largest) ? Error::success()
                                        : writeFirst(group, largest);
}

Error ExampleMerger::finish() {
  for (Group &group : groups) {
    while (!group.empty()) {
      int32_t size = sizes.getLargestOf(getSize(group.front()), group.size());
      if (size == 0)
        break;
      if (Error error = writeFirst(group, size))
        return error;
    }
    numDiscarded += group.size();
    group.clear();
  }
  return Error::success();
}
