//===- ExampleMerger.cpp - Minibatches from a stream of examples ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/Common/ExampleMerger.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::Error;

int64_t MergeCounts::getNumMerged() const {
  int64_t result = 0;
  for (auto [size, count] : minibatches)
    result += size * count;
  return result;
}

Error ExampleMerger::writeFirst(Group &group, int32_t size) {
  std::vector<const Example *> examples;
  for (const Example &example : llvm::ArrayRef(group).take_front(size))
    examples.push_back(&example);
  ++counts[getExampleSize(group.front())].minibatches[size];
  llvm::Expected<Example> minibatch = mergeExamples(examples);
  if (!minibatch)
    return minibatch.takeError();
  group.erase(group.begin(), group.begin() + size);
  std::string key =
      "merged-" + std::to_string(numWritten++) + "-" + std::to_string(size);
  return write(key, *minibatch);
}

Error ExampleMerger::accept(Example example) {
  int32_t largest = sizes.getLargest(getExampleSize(example));
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
      const size_t exampleSize = getExampleSize(group.front());
      int32_t size = sizes.getLargestOf(exampleSize, group.size());
      if (size == 0) {
        counts[exampleSize].leftOut += group.size();
        break;
      }
      if (Error error = writeFirst(group, size))
        return error;
    }
    group.clear();
  }
  return Error::success();
}
