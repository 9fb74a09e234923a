//===- ContextTree.h - Phonetic decision trees ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The phonetic decision trees of Kaldi's files, which map a phone in its
// context and a pdf class to a pdf.
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_TARGET_KALDI_CONTEXTTREE_H
#define NNET3_TARGET_KALDI_CONTEXTTREE_H

#include "nnet3/Kaldi/IO/Reader.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>

namespace mlir::nnet3 {

/// A decision tree. Each split tests a key: a position in the context, from 0,
/// or the pdf class.
struct ContextTree {
  static constexpr int32_t kPdfClass = -1;

  struct Node {
    enum class Kind {
      None,  ///< no answer
      Leaf,  ///< `answer`
      Split, ///< child 0 if the value of `key` is in `values`, else child 1
      Table, ///< one child for each value of `key`
    };
    Kind kind = Kind::None;
    int32_t answer = 0;
    int32_t key = 0;
    /// In ascending order.
    std::vector<int32_t> values;
    /// Numbers of the child nodes.
    std::vector<int32_t> children;
  };

  /// Number of phones in a context, and the position of the central phone.
  int32_t width = 1, central = 0;
  /// Children precede their parents; the root is the last node.
  std::vector<Node> nodes;

  /// The possible values of each key, in ascending order.
  using Values = std::map<int32_t, std::vector<int32_t>>;

  /// Calls `fn` for each leaf that is reachable with `values`, with its answer
  /// and the values that lead to it.
  void forEachLeaf(
      const Values &values,
      llvm::function_ref<void(int32_t answer, const Values &values)> fn) const;
};

/// Reads `ContextDependency` to `EndContextDependency`, in binary or text.
llvm::LogicalResult readContextTree(::nnet3::kaldi::KaldiReader &reader,
                                    ContextTree &tree);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_KALDI_CONTEXTTREE_H
