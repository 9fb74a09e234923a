//===- Report.h - Pages about the effects of passes -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TARGET_REPORT_REPORT_H
#define NNET3_TARGET_REPORT_REPORT_H

#include "nnet3/Target/Report/ComputationSummary.h"
#include "nnet3/Target/Report/NetworkDrawing.h"

namespace mlir::nnet3 {

/// A computation before the first and after the last pass.
struct ReportComputation {
  ComputationSummary before, after;
  /// Position in Report::networks; past the end if the network is not there.
  size_t network;
};

/// The contents of a page.
struct Report {
  /// The input file, the version of the tool, and the time of its run (UTC).
  std::string source, version, time;
  std::vector<NetworkDrawing> networks;
  std::vector<ReportComputation> computations;
};

/// Returns the data of the page as JSON. It contains no `<`, so that it can be
/// the content of a script element with any names.
std::string getReportData(const Report &report);

/// Writes a self-contained HTML file, which runs only its own script.
void writeReport(const Report &report, llvm::raw_ostream &os);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_REPORT_REPORT_H
