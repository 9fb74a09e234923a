//===- Workers.h - Checks in processes of their own -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_RUNNER_CHECK_WORKERS_H
#define NNET3_RUNTIME_RUNNER_CHECK_WORKERS_H

#include "Checks.h"

#include <functional>
#include <vector>

namespace nnet3 {
namespace rt {

/// Does \p count checks in \p jobs processes: a check that crashes, or takes
/// longer than \p timeout seconds, has failed, and the others go on. \p
/// makeWork is called in each process, and what it gives for each check. \p
/// report is called here, with the number of each check, in the order in which
/// they are done.
Status runInWorkers(
    size_t count, unsigned jobs, unsigned timeout,
    const std::function<std::function<CheckResult(size_t)>()> &makeWork,
    const std::function<void(size_t, const CheckResult &)> &report);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_RUNNER_CHECK_WORKERS_H
