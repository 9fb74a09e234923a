//===- RequestTimer.cpp - Time from a request to an event -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RequestTimer.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir::nnet3;

void RequestTimer::report(llvm::StringRef what) {
  if (!told)
    return;
  std::chrono::duration<double, std::milli> elapsed = Clock::now() - start;
  told("Request '" + request.getSymName() + "' " + what + " in " +
       llvm::formatv("{0:F3} ms", elapsed.count()).str());
}
