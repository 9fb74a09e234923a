//===- PrintableText.h - Text that a terminal may show ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_KALDI_IO_PRINTABLETEXT_H
#define NNET3_KALDI_IO_PRINTABLETEXT_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace nnet3::kaldi {

/// `text` with each byte that does not print escaped, such as `\1B`; line ends
/// and printable UTF-8 stay. Applied twice, it changes nothing more.
std::string makePrintable(llvm::StringRef text);

/// `text` made printable, lines cut to 1000 bytes and all of it to about 4000,
/// for messages whose length a file decides.
std::string makeShortMessage(llvm::StringRef text);

/// A part of a line of a file, as a diagnostic shows it.
struct LineExcerpt {
  std::string text;
  /// Column of `text` below which the caret goes, from 0.
  unsigned caret = 0;
};

/// The printable text of `line` around the byte `column`, at most 200 columns
/// wide; `...` stands for the text that is left out. Tabs become blanks.
LineExcerpt excerptLine(llvm::StringRef line, size_t column);

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_IO_PRINTABLETEXT_H
