//===- NodeEdits.h - Kaldi's edits, as far as they change nodes -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edit directives (spec: nnet3bin.md 4).
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_TARGET_KALDI_NODEEDITS_H
#define NNET3_TARGET_KALDI_NODEEDITS_H

#include "nnet3/Target/Kaldi/Config.h"

namespace mlir::nnet3 {

/// Applies the edit directives of `edits` to the nodes of `network`, which then
/// has the context of the edited network. A `;` or the end of a line ends a
/// directive. Directives that change components alone are checked and have no
/// effect. Emits errors at the place in `edits`; after a failure `network` must
/// not be used.
LogicalResult editNodes(NetworkOp network, const ConfigSource &edits);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_KALDI_NODEEDITS_H
