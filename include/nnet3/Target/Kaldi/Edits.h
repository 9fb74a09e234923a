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
  /// The pass over networks that implements the directive, with its options.
  std::string pass;
  /// The location for errors.
  Location loc;
  /// Whether the directive changes nodes, not only components.
  bool changesNodes;
};

/// Reads edit directives, which end with `;` or the end of the line. Emits
/// errors at the location in `edits`.
FailureOr<std::vector<Edit>> readEdits(const ConfigSource &edits,
                                       MLIRContext *context);

/// Applies `edits` to `network` in their order. Their passes must be
/// registered. Emits errors at the location of the edit; after a failure
/// `network` must not be used.
LogicalResult applyEdits(NetworkOp network, llvm::ArrayRef<Edit> edits);

/// Prints `edits` as a pass pipeline for nnet3-opt.
void printPipeline(llvm::ArrayRef<Edit> edits, llvm::raw_ostream &os);

/// Reads edit directives and applies only those that change nodes, so that
/// `network`, which may lack parameters, has the context of the edited network.
/// The passes must be registered.
LogicalResult editNodes(NetworkOp network, const ConfigSource &edits);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_KALDI_EDITS_H
