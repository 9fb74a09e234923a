//===- ReportRecorder.h - Watching passes for a report ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TARGET_REPORT_REPORTRECORDER_H
#define NNET3_TARGET_REPORT_REPORTRECORDER_H

#include "nnet3/Target/Report/Report.h"

namespace mlir {
class PassManager;
} // namespace mlir

namespace mlir::nnet3 {

/// Collects a report over the runs of pass managers, one after the other.
class ReportRecorder {
public:
  /// `source` and `version` are those of Report.
  ReportRecorder(llvm::StringRef source, llvm::StringRef version);
  ReportRecorder(const ReportRecorder &) = delete;

  /// Takes each computation down when a pass of `manager` has made it, or
  /// before the first one that sees it, and what there is in the end. Passes
  /// must not be added afterwards; the recorder must outlive the manager.
  void watch(PassManager &manager);

  const Report &getReport() const { return report; }

  /// For the instrumentation: the computations in `op`, which no pass touches
  /// at the moment.
  void recordFirst(Operation *op);
  /// What `module` has in the end.
  void recordLast(Operation *module);

private:
  Report report;
  /// As they were first, of the present module.
  std::vector<ComputationSummary> firsts;
};

} // namespace mlir::nnet3

#endif // NNET3_TARGET_REPORT_REPORTRECORDER_H
