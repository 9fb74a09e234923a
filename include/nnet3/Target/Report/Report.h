//===- Report.h - A page about what passes made of computations -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TARGET_REPORT_REPORT_H
#define NNET3_TARGET_REPORT_REPORT_H

#include "nnet3/Target/Report/ComputationSummary.h"
#include "nnet3/Target/Report/NetworkDrawing.h"

namespace mlir::nnet3 {

/// A computation as it was first, and as it is in the end.
struct ReportComputation {
  ComputationSummary before, after;
  /// Position in Report::networks; behind the end if it is not there.
  size_t network;
};

/// What a page shows.
struct Report {
  /// The file that was read, the version of the tool, and when it ran (UTC).
  std::string source, version, time;
  std::vector<NetworkDrawing> networks;
  std::vector<ReportComputation> computations;
};

/// The data of the page, as JSON. No `<` is in it, so that it can stand in a
/// script element whatever the names in it are.
std::string getReportData(const Report &report);

/// Writes one HTML file that needs no other, and runs no script but its own.
void writeReport(const Report &report, llvm::raw_ostream &os);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_REPORT_REPORT_H
