//===- RunProgram.cpp - Kaldi's programs by name --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RunProgram.h"
#include "nnet3/Tools/Align.h"
#include "nnet3/Tools/Common/CommandLine.h"
#include "nnet3/Tools/Copy.h"
#include "nnet3/Tools/Diff.h"
#include "nnet3/Tools/Examples.h"
#include "nnet3/Tools/Ivector.h"
#include "nnet3/Tools/Models.h"
#include "nnet3/Tools/Plot.h"
#include "nnet3/Tools/Prune.h"
#include "nnet3/Tools/Run.h"
#include "nnet3/Tools/Train.h"
#include "nnet3/Tools/Xvector.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using llvm::StringRef;
using namespace mlir::nnet3;

namespace {
struct Program {
  StringRef name;
  int (*main)(int argc, char **argv);
  StringRef summary;
};

struct Alias {
  StringRef name, program;
};
} // namespace

static constexpr Program kPrograms[] = {
#define NNET3_PROGRAM(NAME, MAIN, SUMMARY) {#NAME, MAIN, SUMMARY},
#define NNET3_ALIAS(NAME, PROGRAM)
#include "Programs.def"
};

static constexpr Alias kAliases[] = {
#define NNET3_PROGRAM(NAME, MAIN, SUMMARY)
#define NNET3_ALIAS(NAME, PROGRAM) {#NAME, #PROGRAM},
#include "Programs.def"
};

/// Returns the program of a name, or null.
static const Program *findProgram(StringRef name) {
  const auto *alias = llvm::find_if(
      kAliases, [&](const Alias &alias) { return alias.name == name; });
  if (alias != std::end(kAliases))
    name = alias->program;
  const auto *program = llvm::find_if(
      kPrograms, [&](const Program &program) { return program.name == name; });
  return program == std::end(kPrograms) ? nullptr : program;
}

static void printUsage(llvm::raw_ostream &os) {
  os << "Kaldi's programs on networks and examples, in one binary.\n"
        "Usage: nnet3 PROGRAM [options] ARGUMENTS\n"
        "       nnet3 PROGRAM --help\n"
        "\n"
        "Programs:\n";
  for (const Program &program : kPrograms)
    os << llvm::formatv("  {0,-26} {1}\n", program.name, program.summary);
  os << "\nOther names:\n";
  for (const Alias &alias : kAliases)
    os << llvm::formatv("  {0,-26} {1}\n", alias.name, alias.program);
}

int mlir::nnet3::runProgram(int argc, char **argv) {
  if (const Program *program = findProgram(llvm::sys::path::stem(argv[0])))
    return program->main(argc, argv);
  const StringRef name = argc > 1 ? argv[1] : "";
  if (name == "--help" || name == "-h") {
    printUsage(llvm::outs());
    return 0;
  }
  if (name == "--version") {
    printVersion(llvm::outs());
    return 0;
  }
  const Program *program = findProgram(name);
  if (!program)
    program = findProgram(("nnet3-" + name).str());
  if (program)
    return program->main(argc - 1, argv + 1);
  if (name.empty())
    printUsage(llvm::errs());
  else
    llvm::errs() << "error: unknown program '" << name
                 << "'; see nnet3 --help\n";
  return 1;
}
