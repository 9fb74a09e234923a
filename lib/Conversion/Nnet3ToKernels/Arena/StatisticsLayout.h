//===- StatisticsLayout.h - Where statistics are ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_ARENA_STATISTICSLAYOUT_H
#define NNET3_CONVERSION_NNET3TOKERNELS_ARENA_STATISTICSLAYOUT_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"

#include "llvm/ADT/DenseMap.h"

namespace mlir::nnet3 {

/// Places of the statistics of a network's components, in the order of the
/// network, and behind them those of its gradient: commands of components with
/// parameters add to these. Places count floats, of which a number has two.
class StatisticsLayout {
public:
  /// Empty for a computation that keeps none: one that neither stores them nor
  /// runs backward.
  explicit StatisticsLayout(ComputationOp computation);

  int64_t getSize() const { return size; }
  /// Of a component, or of a part of one.
  int64_t getPlace(Operation *component, bool ofGradient) const {
    return places[ofGradient].lookup(component);
  }
  /// Of each component that has any `component`, `gradient`, `place`, counted
  /// from `begin` on, and `size`, in numbers. Null if there are none.
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
  DenseMap<Operation *, int64_t> places[2]; ///< of the gradient behind
  int64_t size = 0;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_ARENA_STATISTICSLAYOUT_H
