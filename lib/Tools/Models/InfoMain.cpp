//===- InfoMain.cpp - Info text of models ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Kaldi/IO/OutputFile.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/ModelInfo.h"
#include "nnet3/Tools/Common/ModelFiles.h"
#include "nnet3/Tools/Common/NetworkProgram.h"
#include "nnet3/Tools/Models.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;

static const char kUsage[] =
    "Prints the contexts, nodes and components of a model.\n"
    "Usage: nnet3-info [options] MODEL\n"
    "\n"
    "e.g.: nnet3-info final.raw\n";

static const char kAcousticUsage[] =
    "Prints the dims, priors, contexts, nodes and components of an acoustic "
    "model.\n"
    "Usage: nnet3-am-info [options] MODEL\n"
    "\n"
    "e.g.: nnet3-am-info final.mdl\n";

namespace {
struct InfoOptions : ProgramOptions {
  std::string model;

  llvm::Error finish(ArrayRef<std::string> positional) override {
    if (positional.size() != 1)
      return expectArguments("MODEL", positional.size());
    model = positional.front();
    return llvm::Error::success();
  }
};
} // namespace

/// Runs a program that loads a model with `load` and prints its info text with
/// `write`.
static int runInfo(const char *usage, int argc, char **argv,
                   FailureOr<ModelFile> (*load)(StringRef path,
                                                MLIRContext *context),
                   LogicalResult (*write)(NetworkOp network, raw_ostream &os,
                                          int32_t verbose)) {
  InfoOptions options;
  auto run = [&](MLIRContext *context) -> LogicalResult {
    FailureOr<ModelFile> model = load(options.model, context);
    if (failed(model))
      return failure();
    std::string text;
    llvm::raw_string_ostream os(text);
    if (failed(write(model->network, os, options.verbose)))
      return failure();
    auto file = OutputFile::create("-");
    if (!file)
      return emitFileError(context, file.takeError());
    (*file)->getStream() << text;
    return emitFileError(context, (*file)->commit());
  };
  return runNetworkProgram(usage, argc, argv, options, run);
}

int mlir::nnet3::infoMain(int argc, char **argv) {
  auto load = [](StringRef path, MLIRContext *context) {
    return loadModelFile(path, context);
  };
  return runInfo(kUsage, argc, argv, load, writeNetworkInfo);
}

int mlir::nnet3::amInfoMain(int argc, char **argv) {
  return runInfo(kAcousticUsage, argc, argv, loadAcousticModel,
                 writeAcousticModelInfo);
}
