//===- RequestTranslations.cpp - Translations of requests -----------------===//

#include "nnet3/Pipelines/Translate.h"
#include "nnet3/Target/Kaldi/RequestReader.h"

#include "llvm/Support/CommandLine.h"

using mlir::failure;
using mlir::LogicalResult;
using mlir::ModuleOp;
using mlir::OwningOpRef;
using mlir::success;
namespace cl = llvm::cl;

namespace nnet3 {

/// Prints requests alone, to be put behind a network. There is no module: it
/// would be invalid without the network.
static LogicalResult requestToMlir(TranslationInputs &inputs,
                                   llvm::raw_ostream &os,
                                   llvm::StringRef network) {
  mlir::FailureOr<llvm::StringRef> text =
      readText(inputs, inputs.files.front());
  if (failed(text))
    return failure();
  OwningOpRef<ModuleOp> module =
      ModuleOp::create(mlir::UnknownLoc::get(&inputs.context));
  auto builder = mlir::OpBuilder::atBlockEnd(module->getBody());
  auto requests = readRequests(*text, inputs.files.front(), network, builder);
  if (failed(requests))
    return failure();
  for (mlir::nnet3::RequestOp request : *requests)
    os << request << '\n';
  return success();
}

void registerRequestTranslations(std::vector<Translation> &translations) {
  static cl::opt<std::string> network(
      "network-name", cl::value_desc("name"), cl::init("network"),
      cl::cat(getTranslateCategory()),
      cl::desc("The network that the requests of --request-to-mlir are for"));
  translations.push_back({"request-to-mlir",
                          "Read requests in text form, write them without a "
                          "module",
                          /*takesSeveral=*/false,
                          [](TranslationInputs &inputs, llvm::raw_ostream &os) {
                            return requestToMlir(inputs, os, network);
                          }});
}

} // namespace nnet3
