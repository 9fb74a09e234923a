//===- ReportPage.cpp - One HTML file -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Report/Report.h"

#include "llvm/Support/Base64.h"
#include "llvm/Support/SHA256.h"

using llvm::StringRef;

/// The files of Page/.
static constexpr char kTemplate[] =
#include "Template.inc"
    ;
static constexpr char kStyle[] =
#include "Style.inc"
    ;
static constexpr char kScript[] =
#include "Script.inc"
    ;

/// How a content security policy names what it allows.
static std::string getHash(StringRef text) {
  auto hash = llvm::SHA256::hash(llvm::arrayRefFromStringRef(text));
  return "'sha256-" + llvm::encodeBase64(hash) + "'";
}

/// Nothing but the page's own style and script: names in a model cannot become
/// code, nor make the page load anything.
static std::string getPolicy() {
  return "default-src 'none'; style-src " + getHash(kStyle) + "; script-src " +
         getHash(kScript);
}

void mlir::nnet3::writeReport(const Report &report, llvm::raw_ostream &os) {
  StringRef rest = kTemplate;
  while (!rest.empty()) {
    auto [before, behind] = rest.split("{{");
    auto [name, after] = behind.split("}}");
    os << before;
    rest = after;
    if (name == "policy")
      os << getPolicy();
    else if (name == "style")
      os << kStyle;
    else if (name == "script")
      os << kScript;
    else if (name == "data")
      os << getReportData(report);
  }
}
