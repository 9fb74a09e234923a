//===- HtmlPage.h - One HTML file with its data -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TARGET_REPORT_HTMLPAGE_H
#define NNET3_TARGET_REPORT_HTMLPAGE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::nnet3 {

/// What a page is made of. The text has `{{policy}}`, `{{style}}`, `{{data}}`
/// and `{{script}}` where these belong.
struct HtmlPage {
  llvm::StringRef text, style, script;
};

/// Writes the page with `json` as its data. A content security policy allows
/// nothing but the page's own style and script: names in the data cannot become
/// code, nor make the page load anything.
void writeHtmlPage(const HtmlPage &page, llvm::StringRef json,
                   llvm::raw_ostream &os);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_REPORT_HTMLPAGE_H
