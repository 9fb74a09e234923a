//===- DotTranslations.cpp - Networks and computations as graphs ----------===//

#include "nnet3/Pipelines/Translate.h"
#include "nnet3/Target/Report/Dot.h"

#include "llvm/Support/CommandLine.h"

using mlir::failure;
using mlir::LogicalResult;
using mlir::ModuleOp;
using mlir::OwningOpRef;
using mlir::success;
using mlir::nnet3::ComputationOp;
using mlir::nnet3::NetworkOp;
namespace cl = llvm::cl;

namespace nnet3 {

/// Draws the network or computation called `only`, or all if that is empty.
static LogicalResult mlirToDot(TranslationInputs &inputs, llvm::raw_ostream &os,
                               llvm::StringRef only) {
  OwningOpRef<ModuleOp> module = readModule(inputs, inputs.files.front());
  if (!module)
    return failure();
  llvm::SmallVector<mlir::Operation *> drawn;
  for (mlir::Operation &op : *module->getBody())
    if (llvm::isa<NetworkOp, ComputationOp>(op) &&
        (only.empty() ||
         mlir::SymbolTable::getSymbolName(&op).getValue() == only))
      drawn.push_back(&op);
  if (drawn.empty()) {
    auto error = mlir::emitError(mlir::FileLineColLoc::get(
                     module->getContext(), inputs.files.front(), 1, 1))
                 << "expects a network or a computation";
    if (!only.empty())
      error << " called '" << only << "'";
    return error << ", but there is none";
  }
  DotWriter writer(os);
  for (mlir::Operation *op : drawn)
    if (auto network = llvm::dyn_cast<NetworkOp>(op))
      writer.add(NetworkDrawing::get(network));
    else
      writer.add(ComputationSummary::get(llvm::cast<ComputationOp>(op)));
  return success();
}

void registerDotTranslations(std::vector<Translation> &translations) {
  static cl::opt<std::string> symbol(
      "symbol", cl::value_desc("name"), cl::cat(getTranslateCategory()),
      cl::desc("Draw with --mlir-to-dot this network or computation only"));
  translations.push_back({"mlir-to-dot",
                          "Draw networks and computations as a graph for "
                          "Graphviz's dot",
                          /*takesSeveral=*/false,
                          [](TranslationInputs &inputs, llvm::raw_ostream &os) {
                            return mlirToDot(inputs, os, symbol);
                          }});
}

} // namespace nnet3
