//===- NetworkCopy.h - A network for another thread -------------*- C++ -*-===//
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

/// A copy of a network in an MLIR context of its own: a context is for one
/// thread at a time, and that of the original goes on being used.
class NetworkCopy {
public:
  /// Takes the network as it is now.
  explicit NetworkCopy(NetworkOp network);

  MLIRContext &getContext() { return context; }
  /// The copy, which the first call makes. Fails where that does.
  FailureOr<NetworkOp> getNetwork();
  /// A request for it, from its text.
  FailureOr<OwningOpRef<RequestOp>> parse(llvm::StringRef request);

private:
  MLIRContext context{MLIRContext::Threading::DISABLED};
  /// The network, until it has been read.
  std::unique_ptr<llvm::MemoryBuffer> bytecode;
  OwningOpRef<ModuleOp> module;
};

} // namespace mlir::nnet3

#endif // NNET3_LIB_EXECUTION_NETWORKCOPY_H
