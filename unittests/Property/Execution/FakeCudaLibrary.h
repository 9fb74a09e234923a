//===- FakeCudaLibrary.h - Libraries for a GPU that is not there *- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_EXECUTION_FAKECUDALIBRARY_H
#define NNET3_UNITTESTS_PROPERTY_EXECUTION_FAKECUDALIBRARY_H

#include "DeviceExecution.h"

#include "nnet3/Execution/CompiledLibrary.h"

namespace mlir::nnet3::property {

/// What nnet3-compile --target=cuda --emit=lib puts into a library, linked into
/// this process, with a driver that is not real. There is one at a time.
class FakeCudaLibrary {
public:
  /// Without cuBLASLt; CudaTest has it.
  FakeCudaLibrary();

  /// Compiles the requests of a network.
  void build(NetworkOp network, llvm::ArrayRef<RequestOp> requests);
  /// Compiles a module with one network, its requests, and its stream if it has
  /// one.
  void build(mlir::OwningOpRef<mlir::ModuleOp> module);
  /// Closes the library; nothing may be left on the device.
  void close();

  std::shared_ptr<CompiledLibrary> get() const { return library; }
  CompiledLibrary *operator->() const { return library.get(); }

private:
  std::unique_ptr<mlir::nnet3::test::GpuEmulator> emulator = makeEmulator(2);
  ::nnet3::rt::test::FakeCuda cuda;
  std::unique_ptr<test::HostKernels> kernels;
  std::shared_ptr<CompiledLibrary> library;
};

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_EXECUTION_FAKECUDALIBRARY_H
