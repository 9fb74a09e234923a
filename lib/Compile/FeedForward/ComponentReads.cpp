//===- ComponentReads.cpp - The input rows of a component -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ComponentReads.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Largest modulus for which patterns pay off.
static constexpr int64_t kMaxModulus = 4096;

std::optional<ReadPattern> ComponentReads::find(const Index &output) {
  SmallVector<Index> inputs;
  component.getInputIndexes(output, inputs);
  ReadPattern pattern;
  for (const Index &input : inputs) {
    int64_t distance = int64_t(input.t) - output.t;
    if (input.n != output.n || !isOrdinary(distance))
      return std::nullopt;
    pattern.sources.push_back({int32_t(distance), input.x});
  }
  // A row that is computable stays so with more rows available.
  auto isComputableWithout = [&](const Index *missing) {
    auto available = [&](Index index) { return !missing || index != *missing; };
    return component.isComputable(output, available, nullptr);
  };
  pattern.needsAll = isComputableWithout(nullptr);
  for (const Index &input : inputs)
    pattern.needsAll = pattern.needsAll && !isComputableWithout(&input);
  return pattern;
}

const ReadPattern *ComponentReads::get(const Index &output) {
  if (!isOrdinary(output.t) || modulus > kMaxModulus)
    return nullptr;
  std::pair<int32_t, int32_t> key(output.x, output.t % int32_t(modulus));
  if (!last || key != lastKey) {
    auto [entry, inserted] = patterns.try_emplace(key);
    if (inserted)
      entry->second = find(output);
    last = &entry->second;
    lastKey = key;
  }
  return *last ? &**last : nullptr;
}
