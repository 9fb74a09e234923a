//===- PrintableText.h - Printable text for terminals -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_KALDI_IO_PRINTABLETEXT_H
#define NNET3_KALDI_IO_PRINTABLETEXT_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace nnet3::kaldi {

/// Returns `text` with unprintable bytes escaped, such as `\1B`; line ends and
/// printable UTF-8 are kept. Idempotent.
std::string makePrintable(llvm::StringRef text);

/// Makes `text` printable and truncates lines to 1000 bytes and the text to
/// about 4000, for messages with text of a file.
std::string makeShortMessage(llvm::StringRef text);

/// A part of a line of a file for a diagnostic.
struct LineExcerpt {
  std::string text;
  /// Column of `text` for the caret, from 0.
  unsigned caret = 0;
};

/// Returns the printable text of `line` around the byte `column`, at most 200
/// columns wide, with `...` for omitted text. Tabs become blanks.
LineExcerpt excerptLine(llvm::StringRef line, size_t column);

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_IO_PRINTABLETEXT_H
