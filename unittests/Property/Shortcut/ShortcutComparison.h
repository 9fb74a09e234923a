//===- ShortcutComparison.h - The shortcut against the compiler -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_SHORTCUT_SHORTCUTCOMPARISON_H
#define NNET3_UNITTESTS_PROPERTY_SHORTCUT_SHORTCUTCOMPARISON_H

#include "Shrink/Shrink.h"

namespace mlir::nnet3::property {

/// The result of a case.
struct ShortcutOutcome {
  enum Kind {
    NotComputable, ///< nothing to compare
    NotEligible,   ///< the shortcut does not support the request
    NotExpanded,   ///< expansion failed; `text` says why
    Equal,         ///< command for command, with the same tables
    Different      ///< `text` says where
  };
  Kind kind = NotComputable;
  std::string text;
};

/// Compiles a case for two sequences, runs the passes of `sample` and expands
/// the result; compares it with the result of the passes for all sequences.
/// Both are renumbered.
ShortcutOutcome compareShortcut(const Case &test, const Sample &sample);

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_SHORTCUT_SHORTCUTCOMPARISON_H
