//===- LoadedModel.cpp - Models to compute with ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/LoadedModel.h"
#include "nnet3/Execution/ModelState.h"
#include "nnet3/Kaldi/IO/OutputFile.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/LoadModel.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

FailureOr<LoadedModel>
LoadedModel::load(StringRef path, MLIRContext *context,
                  const RunnerOptions &options,
                  llvm::function_ref<void(NetworkOp)> prepare) {
  LoadedModel result;
  result.module = loadModel(findModelFile(path), context);
  if (!result.module)
    return failure();
  result.network = getOnlyNetwork(*result.module);
  if (!result.network)
    return failure();
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
  MLIRContext *context = network.getContext();
  auto file = OutputFile::create(path);
  if (!file)
    return emitFileError(context, file.takeError());
  OwningOpRef<NetworkOp> changed = exportModel(parameters, network);
  if (failed(writeModel(*changed, (*file)->getStream(), binary)))
    return failure();
  if (llvm::Error error = (*file)->flush())
    return emitFileError(context, std::move(error));
  return emitFileError(context, (*file)->commit());
}
