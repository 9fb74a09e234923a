//===- Workers.h - Checks in separate processes -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_RUNNER_CHECK_WORKERS_H
#define NNET3_RUNTIME_RUNNER_CHECK_WORKERS_H

#include "Checks.h"

#include <functional>
#include <vector>

namespace nnet3 {
namespace rt {

/// Runs \p count checks in \p jobs processes. A check fails if it crashes or
/// takes longer than \p timeout seconds; the others continue. Each process
/// calls
/// \p makeWork once, and its result for each check. This process calls \p
/// report with the number and result of each check, in order of completion.
Status runInWorkers(
    size_t count, unsigned jobs, unsigned timeout,
    const std::function<std::function<CheckResult(size_t)>()> &makeWork,
    const std::function<void(size_t, const CheckResult &)> &report);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_RUNNER_CHECK_WORKERS_H
