//===- HtmlPage.cpp - A single HTML file with its data --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Report/HtmlPage.h"

#include "llvm/Support/Base64.h"
#include "llvm/Support/SHA256.h"

using llvm::StringRef;
using namespace mlir::nnet3;

/// Returns the hash of a script or style for the content security policy.
static std::string getHash(StringRef text) {
  auto hash = llvm::SHA256::hash(llvm::arrayRefFromStringRef(text));
  return "'sha256-" + llvm::encodeBase64(hash) + "'";
}

/// Writes JSON with `<` escaped; in JSON it occurs only in strings.
static void writeEscaped(StringRef json, llvm::raw_ostream &os) {
  while (!json.empty()) {
    auto [before, behind] = json.split('<');
    os << before;
    if (before.size() < json.size())
      os << "\\u003c";
    json = behind;
  }
}

void mlir::nnet3::writeHtmlPage(const HtmlPage &page, StringRef json,
                                llvm::raw_ostream &os) {
  StringRef rest = page.text;
  while (!rest.empty()) {
    auto [before, behind] = rest.split("{{");
    auto [name, after] = behind.split("}}");
    os << before;
    rest = after;
    if (name == "policy")
      os << "default-src 'none'; style-src " << getHash(page.style)
         << "; script-src " << getHash(page.script);
    else if (name == "style")
      os << page.style;
    else if (name == "script")
      os << page.script;
    else if (name == "data")
      writeEscaped(json, os);
  }
}
