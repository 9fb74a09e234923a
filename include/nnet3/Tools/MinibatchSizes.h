//===- MinibatchSizes.h - How many examples make a minibatch ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_MINIBATCHSIZES_H
#define NNET3_TOOLS_MINIBATCHSIZES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <utility>
#include <vector>

namespace mlir::nnet3 {

/// The sizes of minibatches that may be made, as `--minibatch-size` gives them
/// (spec: nnet3bin.md 12.2): sizes and ranges `16:32,64`, or such a list for
/// each size of example, `80=128/160=64`. The size of an example is its largest
/// number of indexes; the list of the closest size counts, and among equally
/// close ones the first.
class MinibatchSizes {
public:
  static llvm::Expected<MinibatchSizes> parse(llvm::StringRef text);

  /// The largest minibatch of examples of size `exampleSize`.
  int32_t getLargest(int32_t exampleSize) const;

  /// The largest minibatch that `available` examples make; 0 if none is small
  /// enough.
  int32_t getLargestOf(int32_t exampleSize, int32_t available) const;

private:
  struct Rule {
    int32_t exampleSize = 0;
    /// First and last size of each range.
    std::vector<std::pair<int32_t, int32_t>> ranges;
  };

  const Rule &findRule(int32_t exampleSize) const;

  std::vector<Rule> rules;
};

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_MINIBATCHSIZES_H
