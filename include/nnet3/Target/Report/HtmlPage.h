//===- HtmlPage.h - Self-contained HTML pages -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TARGET_REPORT_HTMLPAGE_H
#define NNET3_TARGET_REPORT_HTMLPAGE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::nnet3 {

/// The template of a page. `{{policy}}`, `{{style}}`, `{{data}}` and
/// `{{script}}` in the text are replaced.
struct HtmlPage {
  llvm::StringRef text, style, script;
};

/// Writes the page with `json` as its data. A content security policy allows
/// only the style and script of the page, so that names in the data cannot run
/// code or load resources.
void writeHtmlPage(const HtmlPage &page, llvm::StringRef json,
                   llvm::raw_ostream &os);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_REPORT_HTMLPAGE_H
