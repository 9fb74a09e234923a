//===- LibraryRunner.h - Requests by a compiled library ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_EXECUTION_LIBRARYRUNNER_H
#define NNET3_EXECUTION_LIBRARYRUNNER_H

#include "nnet3/Execution/CompiledLibrary.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::nnet3 {

/// Whether `file` begins with the magic number of shared libraries (ELF).
bool isLibraryFile(llvm::StringRef file);

/// Opens the library of nnet3-compile in `file`, whose prefix is found from its
/// symbols. If the weights of `libNAME.so` are in a separate file, it is
/// `NAME.weights` in the same folder. Errors name the file.
llvm::Expected<std::shared_ptr<CompiledLibrary>>
openLibraryFile(llvm::StringRef file);

/// Computes the requests that a library was compiled for. Its network has the
/// inputs and outputs of the library, and no components.
class LibraryRunner : public RequestRunner {
public:
  /// Each instance has `numThreads` threads. Emits an error at the file if it
  /// is not a library or cannot be opened.
  static FailureOr<std::unique_ptr<LibraryRunner>> create(llvm::StringRef file,
                                                          size_t cacheCapacity,
                                                          int32_t numThreads,
                                                          MLIRContext *context);

  FailureOr<std::unique_ptr<RequestInstance>>
  makeInstance(RequestOp request) override;

  const CompiledLibrary &getLibrary() const { return *library; }
  std::shared_ptr<CompiledLibrary> getSharedLibrary() const { return library; }

private:
  LibraryRunner(std::shared_ptr<CompiledLibrary> library,
                OwningOpRef<ModuleOp> module, NetworkOp network,
                NodeTable nodes, size_t cacheCapacity, int32_t numThreads)
      : RequestRunner(network, std::move(nodes), cacheCapacity),
        library(std::move(library)), module(std::move(module)),
        numThreads(numThreads) {}

  std::shared_ptr<CompiledLibrary> library;
  OwningOpRef<ModuleOp> module;
  int32_t numThreads;
};

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_LIBRARYRUNNER_H
