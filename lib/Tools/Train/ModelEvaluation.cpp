//===- ModelEvaluation.cpp - A model for evaluation -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ModelEvaluation.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Tools/Common/TestModes.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;

FailureOr<ModelEvaluation>
ModelEvaluation::create(OwningOpRef<NetworkOp> network,
                        const RunnerOptions &options, bool batchnorm,
                        bool random) {
  ModelEvaluation result;
  result.module = ModuleOp::create(network->getLoc());
  NetworkOp inside = network.release();
  result.module->push_back(inside);
  setTestModes(inside, batchnorm, random);
  auto runner = NnetRunner::create(inside, options);
  if (failed(runner))
    return failure();
  result.runner = std::move(*runner);
  return result;
}

FailureOr<std::vector<ExampleQueue::Entry>>
mlir::nnet3::readAllExamples(MLIRContext *context,
                             const std::string &rspecifier,
                             const TableOptions &options) {
  auto table = ExampleQueue::open(rspecifier, options);
  if (!table)
    return emitFileError(context, table.takeError());
  std::vector<ExampleQueue::Entry> examples;
  while (true) {
    auto entry = (*table)->next();
    if (!entry)
      return emitFileError(context, entry.takeError());
    if (!*entry)
      break;
    examples.push_back(std::move(**entry));
  }
  if (examples.empty())
    return emitFileError(context,
                         makeFileError(rspecifier, "there are no examples"));
  return examples;
}
