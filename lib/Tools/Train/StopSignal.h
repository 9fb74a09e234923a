//===- StopSignal.h - Stop requests by signals ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_TRAIN_STOPSIGNAL_H
#define LIB_TOOLS_TRAIN_STOPSIGNAL_H

#include "llvm/ADT/StringRef.h"

namespace mlir::nnet3 {

/// Installs handlers that record SIGTERM, SIGINT and SIGHUP instead of ending
/// the program. A signal that is ignored stays ignored (nohup, jobs in the
/// background). A second SIGINT ends the program at once; other signals may
/// arrive several times for one request, because schedulers and shells forward
/// them.
void catchStopSignals();

/// Returns true if one of the signals has been received.
bool isStopRequested();

/// Returns the name of the latest signal received.
llvm::StringRef getStopSignalName();

/// If one of the signals has been received, ends the program with it.
void stopIfRequested();

} // namespace mlir::nnet3

#endif // LIB_TOOLS_TRAIN_STOPSIGNAL_H
