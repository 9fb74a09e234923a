//===- ShortcutComparison.h - The shortcut against the compiler -*- C++ -*-===//

#ifndef NNET3_UNITTESTS_PROPERTY_SHORTCUTCOMPARISON_H
#define NNET3_UNITTESTS_PROPERTY_SHORTCUTCOMPARISON_H

#include "Shrink.h"

namespace nnet3::property {

/// What became of a case.
struct ShortcutOutcome {
  enum Kind {
    NotComputable,  ///< nothing to compare
    NotEligible,    ///< the shortcut does not serve the request
    NotExpanded,    ///< it gave up; `text` says why
    Equal,          ///< command for command, with the same tables
    SplitElsewhere, ///< the same numbers; see compareShortcut
    Different       ///< `text` says where
  };
  Kind kind = NotComputable;
  std::string text;
};

/// Compiles a case for two sequences, runs the passes of `sample` and expands
/// what comes out; and compares that with what they make of the computation for
/// all sequences. Both are renumbered.
///
/// One pass may come to another decision for two sequences than for many:
/// nnet3-split-row-ops leaves commands alone that name few of the rows between
/// the first and the last that they name. If the rows of each sequence are
/// adjacent in the matrix, that is from the first row of the first sequence to
/// the first of the last, which grows with the sequences less one, while what
/// is named grows with the sequences. Where commands differ, they have to be
/// the same without that pass, and all numbers the same to the bit with it.
ShortcutOutcome compareShortcut(const Case &test, const Sample &sample);

} // namespace nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_SHORTCUTCOMPARISON_H
