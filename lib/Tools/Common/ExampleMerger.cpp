//===- ExampleMerger.cpp - Minibatches from a stream of examples ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/ExampleMerger.h"

#include "llvm/Support/raw_ostream.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::Error;

/// Merges the first `size` examples of `group`.
template <typename T>
Error ExampleMerger<T>::writeFirst(Group &group, int32_t size) {
  std::vector<const T *> examples;
  for (const T &example : llvm::ArrayRef<T>(group).take_front(size))
    examples.push_back(&example);
  llvm::Expected<T> minibatch = mergeExamples(examples);
  if (!minibatch)
    return minibatch.takeError();
  group.erase(group.begin(), group.begin() + size);
  std::string key =
      "merged-" + std::to_string(numWritten++) + "-" + std::to_string(size);
  return write(key, *minibatch);
}

template <typename T> Error ExampleMerger<T>::accept(T example) {
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

template <typename T> Error ExampleMerger<T>::finish() {
  size_t numLeft = 0;
  for (Group &group : groups) {
    while (!group.empty()) {
      int32_t size =
          sizes.getLargestOf(getExampleSize(group.front()), group.size());
      if (size == 0)
        break;
      if (Error error = writeFirst(group, size))
        return error;
    }
    numLeft += group.size();
    group.clear();
  }
  if (numLeft > 0)
    llvm::errs() << "warning: " << numLeft
                 << " examples fill no minibatch and are left out\n";
  return Error::success();
}

template class mlir::nnet3::ExampleMerger<NnetExample>;
template class mlir::nnet3::ExampleMerger<NnetChainExample>;
template class mlir::nnet3::ExampleMerger<AnyExample>;
