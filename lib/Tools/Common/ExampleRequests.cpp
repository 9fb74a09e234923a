//===- ExampleRequests.cpp - Requests of examples -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/Common/ExampleRequests.h"
#include "nnet3/Execution/ChainGraphs.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

bool ExampleRequests::isInput(StringRef name) const {
  NetworkOp network = runner.getNetwork();
  return llvm::any_of(network.getOps<InputNodeOp>(),
                      [&](InputNodeOp node) { return node.getName() == name; });
}

/// Reads the denominator graph; its pdfs are the output's columns.
llvm::Error ExampleRequests::readDenominator(StringRef path) {
  if (path.empty())
    return llvm::Error::success();
  auto graph = readDenominatorGraph(path, int32_t(runner.getDim("output")));
  if (!graph)
    return graph.takeError();
  denominator = std::make_shared<const rt::DenominatorGraph>(std::move(*graph));
  return llvm::Error::success();
}

/// Returns the inputs and outputs of the request for `example`.
static NnetExample getComputed(const AnyExample &example, bool hasXent) {
  NnetExample computed = takeRows(example);
  if (auto *chain = std::get_if<NnetChainExample>(&example); chain && hasXent)
    for (const ChainSupervision &output : chain->outputs)
      computed.io.push_back({output.name + "-xent", output.indexes, Matrix()});
  return computed;
}

LogicalResult ExampleRequests::checkKind(const AnyExample &example,
                                         Location loc) const {
  if (std::holds_alternative<NnetChainExample>(example) == isChain())
    return success();
  return emitError(loc) << (isChain()
                                ? "chain training needs chain examples"
                                : "chain examples need a denominator graph");
}

LogicalResult ExampleRequests::checkColumns(ArrayRef<NnetIo> ios,
                                            Location loc) const {
  for (const NnetIo &io : ios)
    if (int64_t cols = getNumCols(io.features), dim = runner.getDim(io.name);
        cols != dim && !StringRef(io.name).starts_with("__"))
      return emitError(loc)
             << "the network expects '" << io.name << "' with dimension " << dim
             << ", but got " << cols;
  return success();
}

FailureOr<OwningOpRef<RequestOp>>
ExampleRequests::createRequest(const AnyExample &example,
                               const ExampleRequestOptions &options,
                               Location loc) const {
  if (failed(checkKind(example, loc)))
    return failure();
  NetworkOp network = runner.getNetwork();
  OpBuilder builder(network->getBlock(), network->getBlock()->end());
  auto getRole = [&](StringRef name) {
    if (isInput(name))
      return IoRole::Input;
    // Some inputs of chain examples are only read by the objective.
    return name.starts_with("__") ? IoRole::Unused : IoRole::Output;
  };
  auto created = createExampleRequest(
      getComputed(example, chainOptions.xentRegularize != 0),
      network.getSymName(), getRole, options, builder, loc);
  if (failed(created))
    return failure();
  OwningOpRef<RequestOp> request(*created);
  SymbolTableCollection symbolTable;
  auto *chain = std::get_if<NnetChainExample>(&example);
  if (failed(request->verifySymbolUses(symbolTable)) ||
      failed(checkColumns(
          chain ? chain->inputs : std::get<NnetExample>(example).io, loc)))
    return failure();
  return std::move(request);
}

FailureOr<std::unique_ptr<ExampleMinibatch>>
ExampleRequests::createMinibatch(const AnyExample &example,
                                 Location loc) const {
  auto isInputNode = [&](StringRef name) { return isInput(name); };
  auto *chain = std::get_if<NnetChainExample>(&example);
  if (!chain)
    return std::make_unique<ExampleMinibatch>(std::get<NnetExample>(example),
                                              isInputNode);
  auto outputs = getChainOutputs(*chain);
  if (!outputs)
    return emitError(loc) << llvm::toString(outputs.takeError());
  return std::make_unique<ExampleMinibatch>(*chain, denominator, chainOptions,
                                            std::move(*outputs), isInputNode);
}
