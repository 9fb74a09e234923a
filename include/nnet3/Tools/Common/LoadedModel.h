//===- LoadedModel.h - Models with a runner ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_COMMON_LOADEDMODEL_H
#define NNET3_TOOLS_COMMON_LOADEDMODEL_H

#include "nnet3/Execution/NnetRunner.h"

#include "mlir/IR/OwningOpRef.h"

namespace mlir::nnet3 {

/// A network from a file, a runner that compiles requests for it, and its
/// parameters and statistics, which may change.
struct LoadedModel {
  OwningOpRef<ModuleOp> module;
  NetworkOp network;
  std::unique_ptr<NnetRunner> runner;
  std::unique_ptr<::nnet3::rt::Model> parameters;

  /// Loads a model; `prepare` may edit the network before the runner is
  /// created. Emits errors.
  static FailureOr<LoadedModel>
  load(llvm::StringRef path, MLIRContext *context,
       const RunnerOptions &options = {},
       llvm::function_ref<void(NetworkOp)> prepare = {});

  /// Emits an error that names `path`, the file of `other`, unless the networks
  /// have the same components.
  LogicalResult checkIsLike(const LoadedModel &other, llvm::StringRef path);

  /// Copies the parameters. Emits errors.
  FailureOr<std::unique_ptr<::nnet3::rt::Model>> copyParameters() const;
};

/// Writes the network with `parameters` to the file `path` as a raw model,
/// atomically. Emits errors.
LogicalResult writeRawModel(llvm::StringRef path, NetworkOp network,
                            const ::nnet3::rt::Model &parameters, bool binary);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_COMMON_LOADEDMODEL_H
