//===- StopSignal.h - Asked to stop -----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_TRAIN_STOPSIGNAL_H
#define LIB_TOOLS_TRAIN_STOPSIGNAL_H

namespace mlir::nnet3 {

/// From now on SIGTERM does not end the program, but is noted.
void catchStopSignal();

/// Whether SIGTERM has come.
bool isStopRequested();

/// Ends the program as SIGTERM does, if it has come.
void stopIfRequested();

} // namespace mlir::nnet3

#endif // LIB_TOOLS_TRAIN_STOPSIGNAL_H
