//===- ComposedReader.h - Compose an affine map into its reader -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_FUSION_COMPOSEDREADER_H
#define NNET3_FUSION_COMPOSEDREADER_H

#include "NetworkEdits.h"

#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"

namespace mlir::nnet3 {

/// Returns the Append terms of the input of `node`; none if it has no normal
/// form.
std::vector<Descriptor> getInputTerms(ComponentNodeOp node);

/// Number of columns of a term.
int64_t getTermColumns(const Descriptor &term, Location loc);

/// Multiply-adds per row of `terms` and output column. Rows that are constant
/// over a sequence count less.
double getCost(ArrayRef<Descriptor> terms, Location loc);

/// A node with a plain affine component that reads an affine map, rewritten to
/// read the inputs of the map directly.
class ComposedReader {
public:
  /// Replaces the node `map` in the input of `node` by the map's input terms
  /// `mapTerms`; fails if the result has no normal form.
  static FailureOr<ComposedReader> get(ComponentNodeOp node,
                                       ComponentNodeOp map,
                                       const std::vector<Descriptor> &mapTerms);

  /// Multiply-adds per row that are saved; negative if there are more.
  double getGain() const { return gain; }
  /// Whether it reads each row of the map once for each time offset.
  bool readsEachRow() const { return readsRows; }
  ComponentNodeOp getNode() const { return node; }
  /// Sets the terms as the node's input and composes its weights with the map's
  /// parameters `map`. Emits an error if weights have no values.
  LogicalResult apply(const AffineParameters &map);

private:
  /// A slice of the columns of the old weights.
  struct Piece {
    size_t term;       ///< number of the term of the new input
    int64_t column;    ///< first column of the old weights
    int64_t mapColumn; ///< first column of the map's weights; -1: not composed
  };

  LogicalResult setWeights(const AffineParameters &map);
  void setInput();

  ComponentNodeOp node;
  std::vector<Descriptor> terms; ///< distinct ones
  SmallVector<Piece> pieces;
  SmallVector<int64_t> mapUses; ///< columns at which rows of the map started
  double gain = 0;
  bool readsRows = true;
};

} // namespace mlir::nnet3

#endif // NNET3_FUSION_COMPOSEDREADER_H
