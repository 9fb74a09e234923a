//===- ShortcutComparison.h - The shortcut against the compiler -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_SHORTCUT_SHORTCUTCOMPARISON_H
#define NNET3_UNITTESTS_PROPERTY_SHORTCUT_SHORTCUTCOMPARISON_H

#include "Shrink/Shrink.h"

namespace mlir::nnet3::property {

/// What became of a case.
struct ShortcutOutcome {
  enum Kind {
    NotComputable, ///< nothing to compare
    NotEligible,   ///< the shortcut does not serve the request
    NotExpanded,   ///< it gave up; `text` says why
    Equal,         ///< command for command, with the same tables
    Different      ///< `text` says where
  };
  Kind kind = NotComputable;
  std::string text;
};

/// Compiles a case for two sequences, runs the passes of `sample` and expands
/// what comes out; and compares that with what they make of the computation for
/// all sequences. Both are renumbered.
ShortcutOutcome compareShortcut(const Case &test, const Sample &sample);

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_SHORTCUT_SHORTCUTCOMPARISON_H
