//===- ReportPage.cpp - Report as a single HTML file ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Report/HtmlPage.h"
#include "nnet3/Target/Report/Report.h"

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

void mlir::nnet3::writeReport(const Report &report, llvm::raw_ostream &os) {
  writeHtmlPage({kTemplate, kStyle, kScript}, getReportData(report), os);
}
