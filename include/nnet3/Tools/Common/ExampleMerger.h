//===- ExampleMerger.h - Minibatches from a stream of examples --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_COMMON_EXAMPLEMERGER_H
#define NNET3_TOOLS_COMMON_EXAMPLEMERGER_H

#include "nnet3/Kaldi/Examples/ChainExamples.h"
#include "nnet3/Tools/Common/MinibatchSizes.h"
#include "llvm/ADT/StringMap.h"
#include <functional>
#include <map>

namespace mlir::nnet3 {

/// Counts of merged examples of one size.
struct MergeCounts {
  /// Number of minibatches of each size.
  std::map<int32_t, int64_t> minibatches;
  /// Number of examples that were dropped.
  int64_t leftOut = 0;

  int64_t getNumMerged() const;
};

/// Collects examples of the same structure until they form a minibatch (spec:
/// nnet3bin.md 12.2).
class ExampleMerger {
public:
  using Example = ::nnet3::kaldi::AnyExample;
  /// Receives each minibatch with its key, `merged-NUMBER-SIZE`.
  using WriteFn =
      std::function<llvm::Error(llvm::StringRef key, Example &minibatch)>;

  ExampleMerger(MinibatchSizes sizes, WriteFn write)
      : sizes(std::move(sizes)), write(std::move(write)) {}

  /// Adds an example; writes a minibatch when the largest size is reached.
  llvm::Error accept(Example example);

  /// Writes minibatches of the remaining examples, the largest first, structure
  /// by structure in the order of their first examples. Drops examples that do
  /// not fill a minibatch.
  llvm::Error finish();

  /// The counts by the size of examples, not by their structure.
  const std::map<int32_t, MergeCounts> &getCounts() const { return counts; }
  /// The number of different structures.
  size_t getNumStructures() const { return groups.size(); }

private:
  using Group = std::vector<Example>;

  llvm::Error writeFirst(Group &group, int32_t size);

  MinibatchSizes sizes;
  WriteFn write;
  std::vector<Group> groups;
  /// The number of the group of a structure.
  llvm::StringMap<size_t> groupOf;
  std::map<int32_t, MergeCounts> counts;
  int64_t numWritten = 0;
};

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_COMMON_EXAMPLEMERGER_H
