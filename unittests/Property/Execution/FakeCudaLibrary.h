//===- FakeCudaLibrary.h - Libraries for the fake GPU -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_EXECUTION_FAKECUDALIBRARY_H
#define NNET3_UNITTESTS_PROPERTY_EXECUTION_FAKECUDALIBRARY_H

#include "DeviceExecution.h"

#include "nnet3/Execution/CompiledLibrary.h"

namespace mlir::nnet3::property {

/// The contents of a library of nnet3-compile --target=cuda --emit=lib, linked
/// into this process, with a fake driver. Only one can exist at a time.
class FakeCudaLibrary {
public:
  /// Without cuBLASLt, which CudaTest covers.
  FakeCudaLibrary();

  /// Compiles the requests of a network.
  void build(NetworkOp network, llvm::ArrayRef<RequestOp> requests);
  /// Compiles a module with a network, its requests, and its stream, if any.
  void build(mlir::OwningOpRef<mlir::ModuleOp> module);
  /// Closes the library, and expects that no memory is left on the device.
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
