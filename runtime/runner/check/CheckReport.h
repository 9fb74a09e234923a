//===- CheckReport.h - Report of check results ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_RUNNER_CHECK_CHECKREPORT_H
#define NNET3_RUNTIME_RUNNER_CHECK_CHECKREPORT_H

#include "Checks.h"

#include <map>
#include <string>
#include <vector>

namespace nnet3 {
namespace rt {

/// Collects results. Prints failures, or with \p verbose all results, to the
/// standard output immediately.
class CheckReport {
public:
  CheckReport(size_t count, bool verbose) : lines(count), verbose(verbose) {}

  void add(size_t number, const std::string &name, const std::string &backend,
           const CheckResult &result);

  /// `N passed, M failed, K skipped (why)`.
  std::string summary() const;
  /// Returns all results as JSON, in the order of their numbers.
  std::string json() const;
  /// Whether at least one check passed and none failed; with \p strict also
  /// that none was skipped.
  bool isGood(bool strict) const;

private:
  size_t numberOf(Outcome outcome) const {
    return counts[static_cast<size_t>(outcome)];
  }

  struct Line {
    std::string name, backend;
    CheckResult result;
  };
  std::vector<Line> lines;
  size_t counts[3] = {};
  /// Number of skipped checks for each reason.
  std::map<std::string, size_t> reasons;
  bool verbose;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_RUNNER_CHECK_CHECKREPORT_H
