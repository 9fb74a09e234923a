//===- LoadedModel.cpp - Loaded models ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/Common/LoadedModel.h"
#include "nnet3/Execution/ModelState.h"
#include "nnet3/Tools/Common/ModelFiles.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

FailureOr<LoadedModel>
LoadedModel::load(StringRef path, MLIRContext *context,
                  const RunnerOptions &options,
                  llvm::function_ref<void(NetworkOp)> prepare) {
  FailureOr<ModelFile> file = loadModelFile(path, context);
  if (failed(file))
    return failure();
  LoadedModel result;
  result.module = std::move(file->module);
  result.network = file->network;
  if (prepare)
    prepare(result.network);
  auto runner = NnetRunner::create(result.network, options);
  if (failed(runner))
    return failure();
  result.runner = std::move(*runner);
  auto parameters = result.runner->createModel();
  if (failed(parameters))
    return failure();
  result.parameters = std::move(*parameters);
  return result;
}

LogicalResult LoadedModel::checkIsLike(const LoadedModel &other,
                                       StringRef path) {
  rt::Status status = other.parameters->checkModel(*parameters);
  if (status.ok())
    return success();
  return emitError(UnknownLoc::get(network.getContext()))
         << path << " has other components: " << status.message();
}

FailureOr<std::unique_ptr<rt::Model>> LoadedModel::copyParameters() const {
  auto copy = runner->createModel();
  if (failed(copy))
    return failure();
  (*copy)->setZero();
  (*copy)->add(1, *parameters);
  return copy;
}

LogicalResult mlir::nnet3::writeRawModel(StringRef path, NetworkOp network,
                                         const rt::Model &parameters,
                                         bool binary) {
  OwningOpRef<NetworkOp> changed = exportModel(parameters, network);
  return writeRawFile(path, *changed, binary);
}
