//===- RequestTranslations.cpp - Translations of requests -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Kaldi/Examples/ChainExamples.h"
#include "nnet3/Kaldi/Tables/Tables.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/ExampleRequest.h"
#include "nnet3/Target/Kaldi/RequestReader.h"
#include "nnet3/Tools/Common/ExampleMerger.h"
#include "nnet3/Tools/Translate.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"

using namespace ::nnet3::kaldi;

using mlir::failure;
using mlir::LogicalResult;
using mlir::ModuleOp;
using mlir::OwningOpRef;
using mlir::success;
namespace cl = llvm::cl;

namespace mlir::nnet3 {

/// Prints requests without a module, for insertion after a network. A module
/// with only requests would be invalid.
static LogicalResult requestToMlir(TranslationInputs &inputs,
                                   llvm::raw_ostream &os,
                                   llvm::StringRef network) {
  FailureOr<llvm::StringRef> text = readText(inputs, inputs.files.front());
  if (failed(text))
    return failure();
  OwningOpRef<ModuleOp> module =
      ModuleOp::create(UnknownLoc::get(&inputs.context));
  auto builder = OpBuilder::atBlockEnd(module->getBody());
  auto requests = readRequests(*text, inputs.files.front(), network, builder);
  if (failed(requests))
    return failure();
  for (RequestOp request : *requests)
    os << request << '\n';
  return success();
}

/// Returns the role by Kaldi's names: `output`, `output-xent`, `output-0`, ...
static IoRole getUsualRole(llvm::StringRef io) {
  return io.starts_with("output") ? IoRole::Output : IoRole::Input;
}

/// Receives examples, or minibatches of them, one after another.
using TakeExampleFn =
    llvm::function_ref<llvm::Error(llvm::StringRef key, AnyExample &)>;

/// Passes the examples of the table `rspecifier` to `take`.
static llvm::Error readExamples(llvm::StringRef rspecifier,
                                TakeExampleFn take) {
  auto table = SequentialTableReader<AnyExample>::open(rspecifier);
  if (!table)
    return table.takeError();
  while (true) {
    llvm::Expected<bool> more = (*table)->next();
    if (!more)
      return more.takeError();
    if (!*more)
      return llvm::Error::success();
    if (auto error = take((*table)->getKey(), (*table)->getValue()))
      return error;
  }
}

/// Passes minibatches of `minibatchSize` to `take`, or examples if it is empty.
static llvm::Error readMinibatches(llvm::StringRef rspecifier,
                                   llvm::StringRef minibatchSize,
                                   TakeExampleFn take) {
  if (minibatchSize.empty())
    return readExamples(rspecifier, take);
  auto sizes = MinibatchSizes::parse(minibatchSize);
  if (!sizes)
    return sizes.takeError();
  ExampleMerger merger(std::move(*sizes), take);
  llvm::Error error =
      readExamples(rspecifier, [&](llvm::StringRef, AnyExample &example) {
        return merger.accept(std::move(example));
      });
  return error ? std::move(error) : merger.finish();
}

/// Prints the distinct requests of a table of examples.
static LogicalResult egsToRequest(TranslationInputs &inputs,
                                  llvm::raw_ostream &os,
                                  llvm::StringRef network,
                                  llvm::StringRef minibatchSize,
                                  const ExampleRequestOptions &options) {
  LineDiagnosticHandler handler(&inputs.context, llvm::errs());
  llvm::StringSet<> printed;
  bool allPrinted = true;
  OwningOpRef<ModuleOp> module =
      ModuleOp::create(UnknownLoc::get(&inputs.context));
  auto builder = OpBuilder::atBlockEnd(module->getBody());
  auto toText = [](RequestOp request) {
    std::string text;
    llvm::raw_string_ostream(text) << request;
    return text;
  };
  auto print = [&](llvm::StringRef key, AnyExample &example) -> llvm::Error {
    if (!allPrinted)
      return llvm::Error::success();
    auto loc = NameLoc::get(StringAttr::get(&inputs.context, key));
    auto request = createExampleRequest(takeRows(std::move(example)), network,
                                        getUsualRole, options, builder, loc);
    if (failed(request)) {
      allPrinted = false;
      return llvm::Error::success();
    }
    if (printed.insert(toText(*request)).second) {
      if (printed.size() > 1)
        request->setSymName(
            (request->getSymName() + "_" + Twine(printed.size())).str());
      os << *request << '\n';
    }
    request->erase();
    return llvm::Error::success();
  };
  if (auto error = readMinibatches(inputs.files.front(), minibatchSize, print))
    return emitFileError(&inputs.context, std::move(error));
  return success(allPrinted);
}

void registerRequestTranslations(std::vector<Translation> &translations) {
  static cl::opt<std::string> network(
      "network-name", cl::value_desc("name"), cl::init("network"),
      cl::cat(getTranslateCategory()),
      cl::desc("The network that the requests of --request-to-mlir and "
               "--egs-to-request are for"));
  static ExampleRequestOptions options;
  static cl::opt<bool, true> needModelDerivative(
      "need-model-derivative", cl::location(options.needModelDerivative),
      cl::cat(getTranslateCategory()),
      cl::desc("The requests of --egs-to-request are for training"));
  static cl::opt<bool, true> storeComponentStats(
      "store-component-stats", cl::location(options.storeComponentStats),
      cl::cat(getTranslateCategory()),
      cl::desc("The requests of --egs-to-request store statistics"));
  static cl::opt<std::string> minibatchSize(
      "minibatch-size", cl::value_desc("sizes"),
      cl::cat(getTranslateCategory()),
      cl::desc("The requests of --egs-to-request are for minibatches of these "
               "sizes, as nnet3-copy makes them"));
  translations.push_back({"egs-to-request",
                          "Read a table of training examples, write the "
                          "requests that compute them without a module",
                          /*takesSeveral=*/false,
                          [](TranslationInputs &inputs, llvm::raw_ostream &os) {
                            return egsToRequest(inputs, os, network,
                                                minibatchSize, options);
                          }});
  translations.push_back({"request-to-mlir",
                          "Read requests in text form, write them without a "
                          "module",
                          /*takesSeveral=*/false,
                          [](TranslationInputs &inputs, llvm::raw_ostream &os) {
                            return requestToMlir(inputs, os, network);
                          }});
}

} // namespace mlir::nnet3
