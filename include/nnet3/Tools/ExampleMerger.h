//===- ExampleMerger.h - Minibatches from a stream of examples --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_EXAMPLEMERGER_H
#define NNET3_TOOLS_EXAMPLEMERGER_H

#include "nnet3/Kaldi/Examples/ChainExamples.h"
#include "nnet3/Tools/MinibatchSizes.h"
#include "llvm/ADT/StringMap.h"
#include <functional>
#include <map>

namespace mlir::nnet3 {

/// What became of examples of one size.
struct MergeCounts {
  /// How many minibatches there are of each size.
  std::map<int32_t, int64_t> minibatches;
  /// How many examples were left out.
  int64_t leftOut = 0;

  int64_t getNumMerged() const;
};

/// Collects examples of the same structure until they make a minibatch (spec:
/// nnet3bin.md 12.2).
class ExampleMerger {
public:
  using Example = ::nnet3::kaldi::AnyExample;
  /// `write` takes each minibatch with its key, `merged-NUMBER-SIZE`.
  using WriteFn =
      std::function<llvm::Error(llvm::StringRef key, Example &minibatch)>;

  ExampleMerger(MinibatchSizes sizes, WriteFn write)
      : sizes(std::move(sizes)), write(std::move(write)) {}

  /// Takes an example; writes a minibatch as soon as the largest is there.
  llvm::Error accept(Example example);

  /// Makes minibatches of what is left, the largest first, of each structure in
  /// the order in which they came; leaves out those that fill none.
  llvm::Error finish();

  /// By the size of an example, and not by its structure.
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

#endif // NNET3_TOOLS_EXAMPLEMERGER_H
