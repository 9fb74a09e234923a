//===- RequestTimer.h - How long a request took -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_PIPELINES_REQUESTTIMER_H
#define LIB_PIPELINES_REQUESTTIMER_H

#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"
#include "nnet3/Execution/ProgramCache.h"

#include <chrono>

namespace mlir::nnet3 {

/// Tells how long it took until something has happened to a request.
class RequestTimer {
public:
  /// Starts now. Nothing is told where `report` is empty.
  RequestTimer(const ProgramCache::Report &report, RequestOp request)
      : told(report), request(request) {}

  /// Tells that the request is `what`, e.g. "compiled".
  void report(llvm::StringRef what);

private:
  using Clock = std::chrono::steady_clock;

  const ProgramCache::Report &told;
  RequestOp request;
  Clock::time_point start = Clock::now();
};

} // namespace mlir::nnet3

#endif // LIB_PIPELINES_REQUESTTIMER_H
