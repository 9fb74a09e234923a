//===- MergeFinder.h - Which matrices can be one ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LIB_OPTIMIZE_MERGEFINDER_H
#define LIB_OPTIMIZE_MERGEFINDER_H

#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"
#include "nnet3/Optimize/Passes.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::nnet3 {

/// A command whose operands may be the same: it writes `dest` from `source`.
struct MergeCandidate {
  int32_t command;
  Value source, dest;
  /// A copy times 1: both hold the same afterwards.
  bool isAssignment = false;
  /// The command that stores the statistics of a component, which comes next
  /// and does without the input of a component that ran in place; -1 for none.
  int32_t stats = -1;
};

/// The matrix `discarded` becomes the part `kept` of another one.
struct Merge {
  MergeCandidate candidate;
  Value discarded;
  MatrixWindow kept;
  /// The matrix that is kept is defined behind the other one.
  bool isKeptLater = false;
  /// The command that frees the one that is discarded, or else the other one:
  /// it goes. The matrix that is left lives as long as both did. -1 for none.
  int32_t dealloc = -1;
};

/// Finds the merges of one round after the other.
class MergeFinder {
public:
  MergeFinder(CommandAnalysis &analysis,
              const Nnet3MergeVariablesOptions &options);

  /// Merges at some commands, in ascending order, that have nothing to do with
  /// one another.
  SmallVector<Merge> find(ArrayRef<int32_t> commands);

  /// What a component needs of `discarded`, it needs of `kept` from now on.
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
  /// The last round in which a merge had to do with each variable, and the last
  /// one in which the merges with it only added reads.
  std::vector<int32_t> dirty, read;
  /// Of matrices with such merges in this round: the last of the added reads.
  llvm::DenseMap<int32_t, int32_t> lastReads;
  /// Matrices whose rows a component needs to be adjacent.
  llvm::BitVector contiguous;
};

} // namespace mlir::nnet3

#endif // LIB_OPTIMIZE_MERGEFINDER_H
