//===- DotTranslations.cpp - Drawings of computations ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Report/Dot.h"
#include "nnet3/Target/Report/PrintedForm.h"
#include "nnet3/Tools/Translate.h"

#include "llvm/Support/CommandLine.h"

using mlir::failure;
using mlir::LogicalResult;
using mlir::ModuleOp;
using mlir::OwningOpRef;
using mlir::success;
using mlir::nnet3::ComputationOp;
using mlir::nnet3::NetworkOp;
using mlir::nnet3::RequestOp;
namespace cl = llvm::cl;

namespace mlir::nnet3 {

/// Returns the operations of `module` of types `Ops`, or only the one called
/// `only` unless that is empty. Reports an error that expects `what` if there
/// are none.
template <typename... Ops>
static llvm::SmallVector<Operation *>
selectOperations(ModuleOp module, llvm::StringRef file, llvm::StringRef only,
                 llvm::StringRef what) {
  llvm::SmallVector<Operation *> selected;
  for (Operation &op : *module.getBody())
    if (llvm::isa<Ops...>(op) &&
        (only.empty() || SymbolTable::getSymbolName(&op).getValue() == only))
      selected.push_back(&op);
  if (selected.empty()) {
    auto error = emitError(FileLineColLoc::get(module.getContext(), file, 1, 1))
                 << "expects " << what;
    if (!only.empty())
      error << " called '" << only << "'";
    error << ", but there is none";
  }
  return selected;
}

/// Draws the network or computation called `only`, or all if the name is empty.
static LogicalResult mlirToDot(TranslationInputs &inputs, llvm::raw_ostream &os,
                               llvm::StringRef only) {
  OwningOpRef<ModuleOp> module = readModule(inputs, inputs.files.front());
  if (!module)
    return failure();
  auto drawn = selectOperations<NetworkOp, ComputationOp>(
      *module, inputs.files.front(), only, "a network or a computation");
  if (drawn.empty())
    return failure();
  DotWriter writer(os);
  for (Operation *op : drawn)
    if (auto network = llvm::dyn_cast<NetworkOp>(op))
      writer.add(NetworkDrawing::get(network));
    else
      writer.add(ComputationSummary::get(llvm::cast<ComputationOp>(op)));
  return success();
}

/// Prints the request or computation called `only`, or all if the name is
/// empty.
static LogicalResult mlirToPrint(TranslationInputs &inputs,
                                 llvm::raw_ostream &os, llvm::StringRef only) {
  OwningOpRef<ModuleOp> module = readModule(inputs, inputs.files.front());
  if (!module)
    return failure();
  auto printed = selectOperations<RequestOp, ComputationOp>(
      *module, inputs.files.front(), only, "a request or a computation");
  for (Operation *op : printed)
    if (auto request = llvm::dyn_cast<RequestOp>(op))
      printRequest(request, os);
    else if (failed(printComputation(llvm::cast<ComputationOp>(op), os)))
      return failure();
  return success(!printed.empty());
}

void registerDotTranslations(std::vector<Translation> &translations) {
  static cl::opt<std::string> symbol(
      "symbol", cl::value_desc("name"), cl::cat(getTranslateCategory()),
      cl::desc("Draw with --mlir-to-dot, or print with --mlir-to-print, this "
               "one only"));
  translations.push_back({"mlir-to-dot",
                          "Draw networks and computations as a graph for "
                          "Graphviz's dot",
                          /*takesSeveral=*/false,
                          [](TranslationInputs &inputs, llvm::raw_ostream &os) {
                            return mlirToDot(inputs, os, symbol);
                          }});
  translations.push_back({"mlir-to-print",
                          "Print requests and computations as Kaldi does",
                          /*takesSeveral=*/false,
                          [](TranslationInputs &inputs, llvm::raw_ostream &os) {
                            return mlirToPrint(inputs, os, symbol);
                          }});
}

} // namespace mlir::nnet3
