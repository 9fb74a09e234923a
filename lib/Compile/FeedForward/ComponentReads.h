//===- ComponentReads.h - The input rows of a component ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_COMPILE_COMPONENTREADS_H
#define NNET3_LIB_COMPILE_COMPONENTREADS_H

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

#include "llvm/ADT/DenseMap.h"

namespace mlir::nnet3 {

/// Whether a time or distance is below 2^29, as in ordinary networks; larger
/// ones may saturate at the range of int32 and then do not shift with the row.
inline bool isOrdinary(int64_t t) {
  constexpr int64_t limit = 1 << 29;
  return t > -limit && t < limit;
}

/// The reads of a component for an output row, relative to the row.
struct ReadPattern {
  struct Source {
    int32_t distance; ///< in time
    int32_t x;
  };
  SmallVector<Source, 4> sources;
  /// Whether the row is computable if and only if all sources are computable.
  bool needsAll = false;
};

/// The patterns of a component. Rows with the same x and the same time modulo
/// the component's modulus share a pattern, so the component is queried once
/// for each.
class ComponentReads {
public:
  explicit ComponentReads(ComponentOpInterface component)
      : component(component), modulus(component.getTimeModulus()) {}

  /// Returns the pattern of the row `output`; null if times are too large and
  /// the component must be queried.
  const ReadPattern *get(const Index &output);

private:
  std::optional<ReadPattern> find(const Index &output);

  ComponentOpInterface component;
  int64_t modulus;
  /// By x and time modulo the modulus.
  DenseMap<std::pair<int32_t, int32_t>, std::optional<ReadPattern>> patterns;
  /// The last pattern that was returned.
  std::pair<int32_t, int32_t> lastKey;
  const std::optional<ReadPattern> *last = nullptr;
};

} // namespace mlir::nnet3

#endif // NNET3_LIB_COMPILE_COMPONENTREADS_H
