//===- NetworkComputer.cpp - Computing networks over tables ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/Common/NetworkComputer.h"
#include "nnet3/Execution/ChunkedComputer.h"
#include "nnet3/Execution/Chunking.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Tools/Common/Program.h"
#include "nnet3/Tools/Common/TestModes.h"
#include "nnet3/Tools/Common/UtteranceReader.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;

FailureOr<NetworkComputer>
NetworkComputer::create(NetworkOp network, StringRef file,
                        const RunnerOptions &runnerOptions,
                        const UtteranceOptions &options) {
  setTestModes(network, /*batchnorm=*/true, /*random=*/true);
  auto runner = NnetRunner::create(network, runnerOptions);
  if (failed(runner) || failed(checkIvectors(**runner, options, file)))
    return failure();
  auto chunking = getNetworkChunking(**runner, options.compute.chunks);
  if (failed(chunking))
    return failure();
  auto utterances =
      ChunkedComputer::create(**runner, *chunking, options.compute);
  if (failed(utterances))
    return failure();
  NetworkComputer computer;
  computer.runner = std::move(*runner);
  computer.utterances = std::move(*utterances);
  return computer;
}

LogicalResult mlir::nnet3::forEachUtterance(
    MLIRContext *context, StringRef program, StringRef features,
    const UtteranceOptions &options, const TableOptions &tableOptions,
    llvm::function_ref<LogicalResult(const Utterance &)> use) {
  auto table = SequentialMatrixReader::open(features, tableOptions);
  if (!table)
    return emitFileError(context, table.takeError());
  auto reader = UtteranceReader::open(
      std::move(*table), options, tableOptions,
      [&](const llvm::Twine &reason) { printWarning(program, reason); });
  if (!reader)
    return emitFileError(context, reader.takeError());
  for (bool isFirst = true;; isFirst = false) {
    auto utterance = (*reader)->next();
    if (!utterance)
      return emitFileError(context, utterance.takeError());
    if (!*utterance)
      return isFirst ? emitError(UnknownLoc::get(context))
                           << "there is no utterance in '" << features << "'"
                     : success();
    if (failed(use(**utterance)))
      return failure();
  }
}
