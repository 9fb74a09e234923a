//===- CopyMain.cpp - The main function of nnet3-copy ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CopyOptions.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Tools/Common/CommandLine.h"
#include "nnet3/Tools/Copy.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;

static const char kUsage[] =
    "Copies Kaldi's files and tables, from text to binary and back, compressed "
    "or not.\n"
    "What is not asked to change stays the same, to the byte.\n"
    "\n"
    "Usage: nnet3-copy [options] KIND INPUT OUTPUT\n"
    "       nnet3-copy [options] MODEL COPY\n"
    "\n"
    "With two arguments it is Kaldi's nnet3-copy: copies the raw network of a\n"
    "model, with the changes that are asked for.\n"
    "KIND is matrix (as copy-feats and copy-matrix), vector (copy-vector),\n"
    "int-vector (copy-int-vector), posterior (copy-post), indexes, egs, "
    "chain-egs,\n"
    "model (raw and acoustic models, as Kaldi's nnet3-copy and "
    "nnet3-am-copy),\n"
    "request, computation or computation-cache.\n"
    "INPUT and OUTPUT are both files or both tables, such as scp:feats.scp "
    "and\n"
    "ark,t:-; egs of both kinds are always tables; indexes, models and what\n"
    "has to do with computations always files.\n"
    "e.g.: nnet3-copy --compress matrix scp:feats.scp ark,scp:f.ark,f.scp\n"
    "      nnet3-copy --binary=false --digits=7 model final.mdl -\n"
    "      nnet3-copy --edits='remove-output-nodes name=xent' 1.raw 2.raw\n";

/// Checks that both names are tables, or both are files.
static llvm::Error checkNames(const CopyOptions &options) {
  bool isTable = isTableName(options.input);
  if (isTable != isTableName(options.output))
    return optionError("expects two files or two tables, but got " +
                       quoteForMessage(options.input) + " and " +
                       quoteForMessage(options.output));
  if (!isTable && llvm::StringRef(options.kind).ends_with("egs"))
    return optionError("expects tables (ark: or scp:) for " + options.kind);
  bool isAlwaysFile = options.kind == "indexes" || options.kind == "model" ||
                      options.kind == "request" ||
                      llvm::StringRef(options.kind).starts_with("computation");
  if (isTable && isAlwaysFile)
    return optionError("expects files, not tables, for kind '" + options.kind +
                       "'");
  return llvm::Error::success();
}

/// Copies and prints a summary; returns the exit status.
static int copy(const CopyOptions &options) {
  if (options.kind == "model")
    return copyModel(options) ? 0 : 1;
  auto count = llvm::StringRef(options.kind).ends_with("egs")
                   ? copyExamples(options)
                   : copyValues(options);
  if (!count) {
    llvm::errs() << llvm::toString(count.takeError()) << "\n";
    return 1;
  }
  if (isTableName(options.input))
    llvm::errs() << "copied " << count->read << " records to " << count->written
                 << "\n";
  return 0;
}

/// Returns true if the arguments are MODEL and COPY, and not a KIND with one
/// file.
static bool isAboutModel(llvm::ArrayRef<std::string> positional) {
  return positional.size() == 2 && (!isKind(positional.front()) ||
                                    llvm::sys::fs::exists(positional.front()));
}

int mlir::nnet3::copyMain(int argc, char **argv) {
  CopyOptions options;
  OptionParser parser(kUsage);
  options.registerOptions(parser);
  auto positional = parser.parse(llvm::ArrayRef(argv + 1, argc - 1));
  if (positional && parser.wantsText())
    return parser.printText();
  if (positional && isAboutModel(*positional)) {
    if (options.printArgs)
      printArguments(llvm::ArrayRef(argv, argc));
    return copyRawModel(options, (*positional)[0], (*positional)[1]) ? 0 : 1;
  }
  llvm::Error error =
      positional ? options.finish(*positional) : positional.takeError();
  if (!error)
    error = checkNames(options);
  if (error) {
    llvm::errs() << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return copy(options);
}
