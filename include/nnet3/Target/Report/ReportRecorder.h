//===- ReportRecorder.h - Recording of passes for reports -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TARGET_REPORT_REPORTRECORDER_H
#define NNET3_TARGET_REPORT_REPORTRECORDER_H

#include "nnet3/Target/Report/Report.h"

namespace mlir {
class PassManager;
} // namespace mlir

namespace mlir::nnet3 {

/// Collects a report over consecutive runs of pass managers.
class ReportRecorder {
public:
  /// `source` and `version` are fields of Report.
  ReportRecorder(llvm::StringRef source, llvm::StringRef version);
  ReportRecorder(const ReportRecorder &) = delete;

  /// Records each computation after the pass of `manager` that creates it, or
  /// before the first pass that runs on it, and again after the last pass.
  /// Passes must not be added afterwards; the recorder must outlive the
  /// manager.
  void watch(PassManager &manager);

  const Report &getReport() const { return report; }

  /// For the instrumentation: records the computations in `op`, while no pass
  /// runs on them.
  void recordFirst(Operation *op);
  /// Records the computations of `module` after the last pass.
  void recordLast(Operation *module);

private:
  Report report;
  /// The first states of the computations of the current module.
  std::vector<ComputationSummary> firsts;
};

} // namespace mlir::nnet3

#endif // NNET3_TARGET_REPORT_REPORTRECORDER_H
