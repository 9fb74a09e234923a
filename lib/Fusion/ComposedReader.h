//===- ComposedReader.h - An affine map with another inside -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_FUSION_COMPOSEDREADER_H
#define NNET3_FUSION_COMPOSEDREADER_H

#include "NetworkEdits.h"

#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"

namespace mlir::nnet3 {

/// The terms that the input of `node` puts side by side; none if it has no
/// normal form.
std::vector<Descriptor> getInputTerms(ComponentNodeOp node);

/// The columns of a term.
int64_t getTermColumns(const Descriptor &term, Location loc);

/// Multiply-adds of a row of `terms` for each column of the output. Rows of
/// which a sequence has one count less.
double getCost(ArrayRef<Descriptor> terms, Location loc);

/// A node with a plain affine component that reads an affine map, as it reads
/// what the map reads.
class ComposedReader {
public:
  /// `node` with the terms `mapTerms` in place of the node `map`, which has
  /// them as its input; fails where that has no normal form.
  static FailureOr<ComposedReader> get(ComponentNodeOp node,
                                       ComponentNodeOp map,
                                       const std::vector<Descriptor> &mapTerms);

  /// Multiply-adds of a row that are saved; negative if there are more.
  double getGain() const { return gain; }
  /// Whether it reads each row of the map once for each time offset.
  bool readsEachRow() const { return readsRows; }
  ComponentNodeOp getNode() const { return node; }
  /// Lets the node read the terms, with weights that do the work of the map,
  /// whose parameters are `map`, too. Emits an error where there are no values.
  LogicalResult apply(const AffineParameters &map);

private:
  /// What some columns of the old weights become.
  struct Piece {
    size_t term;       ///< which term of the new input they belong to
    int64_t column;    ///< the first of the old columns
    int64_t mapColumn; ///< of the map's weights; -1: they stay as they are
  };

  LogicalResult setWeights(const AffineParameters &map);
  void setInput();

  ComponentNodeOp node;
  std::vector<Descriptor> terms; ///< distinct ones
  SmallVector<Piece> pieces;
  SmallVector<int64_t> mapUses; ///< columns where the map's rows began
  double gain = 0;
  bool readsRows = true;
};

} // namespace mlir::nnet3

#endif // NNET3_FUSION_COMPOSEDREADER_H
