//===- MergeFinder.h - Find matrices that can be merged ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LIB_OPTIMIZE_MERGEFINDER_H
#define LIB_OPTIMIZE_MERGEFINDER_H

#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"
#include "nnet3/Optimize/Passes.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::nnet3 {

/// A command whose operands may be merged: it writes `dest` from `source`.
struct MergeCandidate {
  int32_t command;
  Value source, dest;
  /// A copy with factor 1: both hold the same values afterwards.
  bool isAssignment = false;
  /// The next command, which stores the component's statistics and does not
  /// read the input if the component runs in place; -1 if there is none.
  int32_t stats = -1;
};

/// The matrix `discarded` becomes the part `kept` of another one.
struct Merge {
  MergeCandidate candidate;
  Value discarded;
  MatrixWindow kept;
  /// The definition of the kept matrix comes after the other one.
  bool isKeptLater = false;
  /// The deallocation to erase: that of the discarded matrix if it has one,
  /// else that of the other; -1 if there is none. The merged matrix lives as
  /// long as both did.
  int32_t dealloc = -1;
};

/// Finds the merges of each round.
class MergeFinder {
public:
  MergeFinder(CommandAnalysis &analysis,
              const Nnet3MergeVariablesOptions &options);

  /// Finds independent merges at some commands, which are in ascending order.
  SmallVector<Merge> find(ArrayRef<int32_t> commands);

  /// Transfers the requirements of components on `discarded` to `kept`.
  void merge(int32_t discarded, int32_t kept) {
    if (contiguous.test(discarded))
      contiguous.set(kept);
  }

private:
  struct Operand;

  void findContiguous();
  std::optional<MergeCandidate> getCandidate(int32_t command);
  int32_t getStats(PropagateOp propagate, int32_t command) const;
  std::optional<Merge> tryMerge(const MergeCandidate &candidate);
  bool hasRightTimes(const MergeCandidate &candidate, const Operand &source,
                     const Operand &dest) const;
  bool mayBecome(const Operand &discarded, const Operand &kept) const;
  bool onlyAddsReads(const MergeCandidate &candidate, const Operand &source,
                     const Operand &dest) const;
  bool isClean(const Operand &operand, bool readsAreClean = false) const;
  void setDirty(const Operand &operand);
  void setRead(const Operand &source, const Operand &dest);

  const Nnet3MergeVariablesOptions &options;
  CommandAnalysis &analysis;
  FloatAttr one;
  int32_t round = 0;
  /// For each variable, the last round with a merge that involves it, and the
  /// last round in which such merges only added reads.
  std::vector<int32_t> dirty, read;
  /// The last added read of each matrix with such merges in this round.
  llvm::DenseMap<int32_t, int32_t> lastReads;
  /// Matrices whose rows must be adjacent for a component.
  llvm::BitVector contiguous;
};

} // namespace mlir::nnet3

#endif // LIB_OPTIMIZE_MERGEFINDER_H
