//===- NetworkCopy.h - A copy of a network for another thread ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_EXECUTION_NETWORKCOPY_H
#define NNET3_LIB_EXECUTION_NETWORKCOPY_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBuffer.h"

namespace mlir::nnet3 {

/// A copy of a network in its own MLIR context. A context serves one thread at
/// a time, and other threads keep using the original.
class NetworkCopy {
public:
  /// Copies the current state of the network.
  explicit NetworkCopy(NetworkOp network);

  MLIRContext &getContext() { return context; }
  /// Returns the copy; the first call creates it. Fails if the creation fails.
  FailureOr<NetworkOp> getNetwork();
  /// Parses a request for the copy.
  FailureOr<OwningOpRef<RequestOp>> parse(llvm::StringRef request);

private:
  MLIRContext context{MLIRContext::Threading::DISABLED};
  /// The serialised network, until the copy exists.
  std::unique_ptr<llvm::MemoryBuffer> bytecode;
  OwningOpRef<ModuleOp> module;
};

} // namespace mlir::nnet3

#endif // NNET3_LIB_EXECUTION_NETWORKCOPY_H
