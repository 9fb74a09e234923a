//===- StopSignal.h - Stop requests by SIGTERM ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_TRAIN_STOPSIGNAL_H
#define LIB_TOOLS_TRAIN_STOPSIGNAL_H

namespace mlir::nnet3 {

/// Installs a handler that records SIGTERM instead of ending the program.
void catchStopSignal();

/// Returns true if SIGTERM has been received.
bool isStopRequested();

/// If SIGTERM has been received, ends the program with it.
void stopIfRequested();

} // namespace mlir::nnet3

#endif // LIB_TOOLS_TRAIN_STOPSIGNAL_H
