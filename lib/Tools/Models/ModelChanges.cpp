//===- ModelChanges.cpp - Model changes by options ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/ModelChanges.h"
#include "nnet3/Dialect/Nnet3/Transforms/Passes.h"
#include "nnet3/Surgery/Passes.h"
#include "nnet3/Target/Kaldi/Edits.h"
#include "nnet3/Tools/Common/ModelFiles.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::nnet3;

void ModelChanges::registerOptions(OptionParser &parser) {
  parser.add("nnet-config", &nnetConfig,
             "Read this config on top of the network first");
  parser.add("learning-rate", &learningRate,
             "Set the learning rates of all components, before their factors; "
             "none if it is negative");
  parser.add("scale", &scale,
             "Multiply the parameters and statistics of the network");
  parser.add("edits-config", &editsConfig, "Apply the edits in this file");
  parser.add("edits", &edits,
             "Apply these edits; a ; is the end of a line. See "
             "docs/user/Surgery.md");
  parser.add("prepare-for-test", &prepareForTest,
             "Put batch norm and dropout in test mode, and merge components "
             "where that saves work");
  parser.add("batchnorm-test-mode", &batchnormTestMode,
             "The mode of batch norm, unless --prepare-for-test is given");
}

/// Runs one pass over `network`.
static LogicalResult runPass(NetworkOp network, std::unique_ptr<Pass> pass) {
  PassManager passes(network.getContext(), network.getOperationName());
  passes.addPass(std::move(pass));
  return passes.run(network);
}

LogicalResult ModelChanges::readNnetConfig(NetworkOp network) const {
  if (nnetConfig.empty())
    return success();
  auto read = [&](const ConfigSource &source) -> LogicalResult {
    if (failed(readConfig(network, source.text, source.fileName)))
      return failure();
    return initializeParameters(network, /*seed=*/0);
  };
  return withText(network.getContext(), nnetConfig, read);
}

LogicalResult ModelChanges::setLearningRate(NetworkOp network) const {
  if (learningRate < 0)
    return success();
  return runPass(network, createNnet3SetLearningRate({"*", learningRate}));
}

LogicalResult ModelChanges::applyScale(NetworkOp network) const {
  if (scale == 1)
    return success();
  return runPass(network, createNnet3ScaleParameters({scale}));
}

LogicalResult ModelChanges::applyEdits(NetworkOp network) const {
  registerNnet3SurgeryPasses();
  auto apply = [&](const ConfigSource &source) -> LogicalResult {
    auto directives = readEdits(source, network.getContext());
    if (failed(directives))
      return failure();
    if (verbose > 0) {
      llvm::errs() << source.fileName << " is the pipeline ";
      printPipeline(*directives, llvm::errs());
      llvm::errs() << "\n";
    }
    return mlir::nnet3::applyEdits(network, *directives);
  };
  if (!editsConfig.empty() &&
      failed(withText(network.getContext(), editsConfig, apply)))
    return failure();
  return edits.empty() ? success() : apply({edits, "--edits"});
}

LogicalResult ModelChanges::prepare(NetworkOp network) const {
  PassManager passes(network.getContext(), network.getOperationName());
  passes.addPass(createNnet3SetTestMode());
  passes.addPass(createNnet3CollapseModel());
  return passes.run(network);
}

LogicalResult ModelChanges::setBatchNormMode(NetworkOp network) const {
  return runPass(network, createNnet3SetBatchNormTestMode({batchnormTestMode}));
}

LogicalResult ModelChanges::applyAll(NetworkOp network) const {
  if (failed(readNnetConfig(network)) || failed(setLearningRate(network)) ||
      failed(applyScale(network)) || failed(applyEdits(network)))
    return failure();
  return prepareForTest ? prepare(network) : setBatchNormMode(network);
}
