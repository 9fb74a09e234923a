//===- StopSignal.cpp - Stop requests by SIGTERM --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StopSignal.h"

#include <csignal>

static volatile std::sig_atomic_t isRequested = 0;

void mlir::nnet3::catchStopSignal() {
  std::signal(SIGTERM, [](int) { isRequested = 1; });
}

bool mlir::nnet3::isStopRequested() { return isRequested != 0; }

void mlir::nnet3::stopIfRequested() {
  if (!isRequested)
    return;
  std::signal(SIGTERM, SIG_DFL);
  std::raise(SIGTERM);
}
