//===- RequestTimer.h - Time from a request to an event ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_PIPELINES_REQUESTTIMER_H
#define LIB_PIPELINES_REQUESTTIMER_H

#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"
#include "nnet3/Execution/ProgramCache.h"

#include <chrono>

namespace mlir::nnet3 {

/// Reports the time from its construction to an event of a request.
class RequestTimer {
public:
  /// Starts the timer. Reports nothing if `report` is empty.
  RequestTimer(const ProgramCache::Report &report, RequestOp request)
      : told(report), request(request) {}

  /// Reports that the request is now `what`, for example "compiled".
  void report(llvm::StringRef what);

private:
  using Clock = std::chrono::steady_clock;

  const ProgramCache::Report &told;
  RequestOp request;
  Clock::time_point start = Clock::now();
};

} // namespace mlir::nnet3

#endif // LIB_PIPELINES_REQUESTTIMER_H
