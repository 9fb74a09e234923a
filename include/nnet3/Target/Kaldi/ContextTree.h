//===- ContextTree.h - Phones in context to pdfs ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The phonetic decision trees of Kaldi's files: which pdf a state of a phone
// has, by the phones around it.
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_TARGET_KALDI_CONTEXTTREE_H
#define NNET3_TARGET_KALDI_CONTEXTTREE_H

#include "nnet3/Kaldi/IO/Reader.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>

namespace mlir::nnet3 {

/// A decision tree. A question is about a key: a position of the context, from
/// 0, or the class of the pdf.
struct ContextTree {
  static constexpr int32_t kPdfClass = -1;

  struct Node {
    enum class Kind {
      None,  ///< there is no answer
      Leaf,  ///< `answer`
      Split, ///< child 0 if the value of `key` is in `values`, else child 1
      Table, ///< the child of the value of `key`
    };
    Kind kind = Kind::None;
    int32_t answer = 0;
    int32_t key = 0;
    /// In increasing order.
    std::vector<int32_t> values;
    /// Numbers of nodes.
    std::vector<int32_t> children;
  };

  /// Phones in a context, and the position of the phone itself among them.
  int32_t width = 1, central = 0;
  /// Children come before their parents; the root is the last one.
  std::vector<Node> nodes;

  /// What keys may be, each in increasing order.
  using Values = std::map<int32_t, std::vector<int32_t>>;

  /// Calls `fn` for each leaf that some of `values` lead to, with its answer
  /// and those of the values.
  void forEachLeaf(
      const Values &values,
      llvm::function_ref<void(int32_t answer, const Values &values)> fn) const;
};

/// Reads `ContextDependency` to `EndContextDependency`, in binary or text.
llvm::LogicalResult readContextTree(::nnet3::kaldi::KaldiReader &reader,
                                    ContextTree &tree);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_KALDI_CONTEXTTREE_H
