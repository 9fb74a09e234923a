//===- StopSignal.cpp - Stop requests by signals --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StopSignal.h"

#include <csignal>

/// The latest signal received; 0 if there was none.
static volatile std::sig_atomic_t requested = 0;

/// The action for SIGINT before catchStopSignals(): LLVM's handler, which
/// removes temporary files.
static struct sigaction interruptAction;

static void request(int signal) {
  requested = signal;
  if (signal == SIGINT)
    sigaction(SIGINT, &interruptAction, nullptr);
}

void mlir::nnet3::catchStopSignals() {
  struct sigaction action = {};
  action.sa_handler = request;
  // Reads of the examples continue.
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (int signal : {SIGTERM, SIGINT, SIGHUP}) {
    struct sigaction previous;
    sigaction(signal, nullptr, &previous);
    if (previous.sa_handler == SIG_IGN)
      continue;
    if (signal == SIGINT)
      interruptAction = previous;
    sigaction(signal, &action, nullptr);
  }
}

bool mlir::nnet3::isStopRequested() { return requested != 0; }

llvm::StringRef mlir::nnet3::getStopSignalName() {
  switch (requested) {
  case SIGINT:
    return "SIGINT";
  case SIGHUP:
    return "SIGHUP";
  default:
    return "SIGTERM";
  }
}

void mlir::nnet3::stopIfRequested() {
  if (!requested)
    return;
  std::signal(requested, SIG_DFL);
  std::raise(requested);
}
