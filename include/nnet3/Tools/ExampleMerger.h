//===- ExampleMerger.h - Minibatches from a stream of examples --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_EXAMPLEMERGER_H
#define NNET3_TOOLS_EXAMPLEMERGER_H

#include "nnet3/Kaldi/Examples/ChainExamples.h"
#include "nnet3/Tools/MinibatchSizes.h"
#include "llvm/ADT/StringMap.h"
#include <functional>

namespace mlir::nnet3 {

/// Collects examples of the same structure until they make a minibatch (spec:
/// nnet3bin.md 12.2). T is NnetExample, NnetChainExample or AnyExample.
template <typename T> class ExampleMerger {
public:
  /// `write` takes each minibatch with its key, `merged-NUMBER-SIZE`.
  using WriteFn = std::function<llvm::Error(llvm::StringRef key, T &minibatch)>;

  ExampleMerger(MinibatchSizes sizes, WriteFn write)
      : sizes(std::move(sizes)), write(std::move(write)) {}

  /// Takes an example; writes a minibatch as soon as the largest is there.
  llvm::Error accept(T example);

  /// Makes minibatches of what is left, the largest first, of each structure in
  /// the order in which they came. Warns of examples that fill none.
  llvm::Error finish();

private:
  using Group = std::vector<T>;

  llvm::Error writeFirst(Group &group, int32_t size);

  MinibatchSizes sizes;
  WriteFn write;
  std::vector<Group> groups;
  /// The number of the group of a structure.
  llvm::StringMap<size_t> groupOf;
  int64_t numWritten = 0;
};

extern template class ExampleMerger<::nnet3::kaldi::NnetExample>;
extern template class ExampleMerger<::nnet3::kaldi::NnetChainExample>;
extern template class ExampleMerger<::nnet3::kaldi::AnyExample>;

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_EXAMPLEMERGER_H
