//===- MinibatchSizes.cpp - Sizes of minibatches --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/Common/MinibatchSizes.h"
#include "nnet3/Kaldi/IO/KaldiError.h"

#include "llvm/ADT/SmallVector.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::StringRef;

static llvm::Error fail(StringRef text) {
  return makeFileError(
      "", "option '--minibatch-size' expects sizes and ranges like 16:32,64 or "
          "rules like 80=128/160=64, but got " +
              quoteForMessage(text));
}

static bool readSize(StringRef text, int32_t &size) {
  return !text.getAsInteger(10, size) && size > 0;
}

/// Parses `16:32,64`, in any order.
static bool parseRanges(StringRef text,
                        std::vector<std::pair<int32_t, int32_t>> &ranges) {
  llvm::SmallVector<StringRef> parts;
  text.split(parts, ',');
  for (StringRef part : parts) {
    auto &[from, to] = ranges.emplace_back();
    auto [first, second] = part.split(':');
    if (!readSize(first, from))
      return false;
    to = from;
    if (part.contains(':') && (!readSize(second, to) || to < from))
      return false;
  }
  return true;
}

llvm::Expected<MinibatchSizes> MinibatchSizes::parse(StringRef text) {
  MinibatchSizes result;
  llvm::SmallVector<StringRef> parts;
  text.split(parts, '/');
  for (StringRef part : parts) {
    Rule rule;
    StringRef ranges = part;
    if (parts.size() > 1 || part.contains('=')) {
      StringRef size;
      std::tie(size, ranges) = part.split('=');
      if (!readSize(size, rule.exampleSize))
        return fail(text);
    }
    if (!parseRanges(ranges, rule.ranges))
      return fail(text);
    result.rules.push_back(std::move(rule));
  }
  return result;
}

const MinibatchSizes::Rule &
MinibatchSizes::findRule(int32_t exampleSize) const {
  auto distance = [&](const Rule &rule) {
    return std::abs(int64_t(rule.exampleSize) - exampleSize);
  };
  return *std::min_element(
      rules.begin(), rules.end(),
      [&](const Rule &a, const Rule &b) { return distance(a) < distance(b); });
}

int32_t MinibatchSizes::getLargest(int32_t exampleSize) const {
  int32_t largest = 0;
  for (auto [first, last] : findRule(exampleSize).ranges)
    largest = std::max(largest, last);
  return largest;
}

int32_t MinibatchSizes::getLargestOf(int32_t exampleSize,
                                     int32_t available) const {
  int32_t largest = 0;
  for (auto [first, last] : findRule(exampleSize).ranges)
    if (first <= available)
      largest = std::max(largest, std::min(last, available));
  return largest;
}
