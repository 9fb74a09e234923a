//===- ComponentReads.h - Which input rows a component reads ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_COMPILE_COMPONENTREADS_H
#define NNET3_LIB_COMPILE_COMPONENTREADS_H

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

#include "llvm/ADT/DenseMap.h"

namespace mlir::nnet3 {

/// Times and distances are smaller than 2^29 in ordinary networks; larger ones
/// may be cut off at the end of the range of integers, and then they are not
/// moved on as others are.
inline bool isOrdinary(int64_t t) {
  constexpr int64_t limit = 1 << 29;
  return t > -limit && t < limit;
}

/// What a component reads for an output row, relative to the row.
struct ReadPattern {
  struct Source {
    int32_t distance; ///< in time
    int32_t x;
  };
  SmallVector<Source, 4> sources;
  /// Whether the row is computable if and only if all of them are there.
  bool needsAll = false;
};

/// The patterns of a component. Rows with the same x whose times are equal
/// modulo the component's modulus have the same one, so that the component is
/// asked only once for all of them.
class ComponentReads {
public:
  explicit ComponentReads(ComponentOpInterface component)
      : component(component), modulus(component.getTimeModulus()) {}

  /// The pattern of the row `output`; null if its reads have to be asked for,
  /// because times are out of the ordinary.
  const ReadPattern *get(const Index &output);

private:
  std::optional<ReadPattern> find(const Index &output);

  ComponentOpInterface component;
  int64_t modulus;
  /// By x and the time modulo the modulus.
  DenseMap<std::pair<int32_t, int32_t>, std::optional<ReadPattern>> patterns;
  /// The pattern that was asked for last.
  std::pair<int32_t, int32_t> lastKey;
  const std::optional<ReadPattern> *last = nullptr;
};

} // namespace mlir::nnet3

#endif // NNET3_LIB_COMPILE_COMPONENTREADS_H
