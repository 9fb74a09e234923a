//===- Edits.h - Kaldi's edit directives as passes --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edit directives (spec: nnet3bin.md 4).
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_TARGET_KALDI_EDITS_H
#define NNET3_TARGET_KALDI_EDITS_H

#include "nnet3/Target/Kaldi/Config.h"

#include <string>
#include <vector>

namespace mlir::nnet3 {

/// One directive.
struct Edit {
  /// The pass over networks that does what it says, with its options.
  std::string pass;
  /// Where its errors are.
  Location loc;
  /// Whether it changes nodes, not only components.
  bool changesNodes;
};

/// Reads edit directives; a `;` or the end of a line ends one. Emits errors at
/// the place in `edits`.
FailureOr<std::vector<Edit>> readEdits(const ConfigSource &edits,
                                       MLIRContext *context);

/// Applies `edits` to `network` in their order. Their passes must be
/// registered. Emits errors where the edit was read; after a failure `network`
/// must not be used.
LogicalResult applyEdits(NetworkOp network, llvm::ArrayRef<Edit> edits);

/// Prints `edits` as a pass pipeline for nnet3-opt.
void printPipeline(llvm::ArrayRef<Edit> edits, llvm::raw_ostream &os);

/// Reads edit directives and applies those that change nodes, whose passes must
/// be registered: `network`, which may lack parameters, then has the context of
/// the edited network.
LogicalResult editNodes(NetworkOp network, const ConfigSource &edits);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_KALDI_EDITS_H
