//===- MinibatchSizes.h - The allowed sizes of minibatches ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_COMMON_MINIBATCHSIZES_H
#define NNET3_TOOLS_COMMON_MINIBATCHSIZES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <utility>
#include <vector>

namespace mlir::nnet3 {

/// The allowed sizes of minibatches from the option `--minibatch-size` (spec:
/// nnet3bin.md 12.2): a list of sizes and ranges `16:32,64`, or such a list for
/// each size of examples, `80=128/160=64`. The size of an example is its
/// largest number of indexes; the list with the closest size is used, the first
/// one if several are equally close.
class MinibatchSizes {
public:
  static llvm::Expected<MinibatchSizes> parse(llvm::StringRef text);

  /// Returns the largest allowed minibatch for examples of size `exampleSize`.
  int32_t getLargest(int32_t exampleSize) const;

  /// Returns the largest allowed minibatch of at most `available` examples; 0
  /// if there is none.
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

#endif // NNET3_TOOLS_COMMON_MINIBATCHSIZES_H
