//===- LoadedModel.h - Models to compute with -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_LOADEDMODEL_H
#define NNET3_TOOLS_LOADEDMODEL_H

#include "nnet3/Execution/NnetRunner.h"

#include "mlir/IR/OwningOpRef.h"

namespace mlir::nnet3 {

/// A network from a file, what compiles requests for it, and its parameters and
/// statistics, which may change.
struct LoadedModel {
  OwningOpRef<ModuleOp> module;
  NetworkOp network;
  std::unique_ptr<NnetRunner> runner;
  std::unique_ptr<::nnet3::rt::Model> parameters;

  /// `prepare` may change the network before it is compiled for. Emits errors.
  static FailureOr<LoadedModel>
  load(llvm::StringRef path, MLIRContext *context,
       const RunnerOptions &options = {},
       llvm::function_ref<void(NetworkOp)> prepare = {});

  /// Fails with an error that names `path`, that of `other`, unless the
  /// networks have the same components.
  LogicalResult checkIsLike(const LoadedModel &other, llvm::StringRef path);

  /// A copy of the parameters. Emits errors.
  FailureOr<std::unique_ptr<::nnet3::rt::Model>> copyParameters() const;
};

/// Writes the network with `parameters` to the file `path` as a raw model; the
/// file appears whole or not at all. Emits errors.
LogicalResult writeRawModel(llvm::StringRef path, NetworkOp network,
                            const ::nnet3::rt::Model &parameters, bool binary);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_LOADEDMODEL_H
