//===- StatisticsLayout.h - Layout of statistics ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_ARENA_STATISTICSLAYOUT_H
#define NNET3_CONVERSION_NNET3TOKERNELS_ARENA_STATISTICSLAYOUT_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"

#include "llvm/ADT/DenseMap.h"

namespace mlir::nnet3 {

/// Offsets of the statistics of a network's components, in the order of the
/// network, followed by those of its gradient, to which commands of components
/// with parameters add. Offsets are in floats; each number is an f64 of two
/// floats.
class StatisticsLayout {
public:
  /// Empty for a computation that keeps no statistics: it has no store_stats
  /// command and no backward pass.
  explicit StatisticsLayout(ComputationOp computation);

  int64_t getSize() const { return size; }
  /// Returns the offset of the statistics of a component or of a part of one.
  int64_t getPlace(Operation *component, bool ofGradient) const {
    return places[ofGradient].lookup(component);
  }
  /// Returns `component`, `gradient`, `place` (the offset plus `begin`) and
  /// `size` (in numbers) of each component with statistics. Null if there are
  /// none.
  ArrayAttr get(int64_t begin) const;

private:
  struct Entry {
    StringAttr component;
    bool ofGradient;
    int64_t place, size;
  };

  void add(ComponentOpInterface component, bool ofGradient);
  void addPart(Operation *component, bool ofGradient);

  SmallVector<Entry> entries;
  DenseMap<Operation *, int64_t> places[2]; ///< second: of the gradient
  int64_t size = 0;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_ARENA_STATISTICSLAYOUT_H
