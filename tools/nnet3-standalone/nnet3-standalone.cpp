//===- nnet3-standalone.cpp - All tools in one binary ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The name of the binary selects the tool: nnet3-opt, nnet3-translate,
// nnet3-compile, nnet3-run, a program of Programs.def, or ld.lld or wasm-ld,
// with which nnet3-compile links libraries.
//
//===----------------------------------------------------------------------===//

#include "../nnet3/RunProgram.h"
#include "nnet3/Pipelines/NativeCode.h"
#include "nnet3/Target/Library/EmbeddedLinker.h"
#include "nnet3/Tools/Common/CommandLine.h"
#include "nnet3/Tools/OptMain.h"
#include "nnet3/Tools/Run.h"
#include "nnet3/Tools/Translate.h"

#include "lld/Common/Driver.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

LLD_HAS_DRIVER(elf)
LLD_HAS_DRIVER(wasm)

using namespace mlir::nnet3;

static int linkMain(int argc, char **argv) {
  const lld::Result result = lld::lldMain(
      llvm::ArrayRef<const char *>(argv, argc), llvm::outs(), llvm::errs(),
      {{lld::Gnu, &lld::elf::link}, {lld::Wasm, &lld::wasm::link}});
  return result.retCode;
}

int main(int argc, char **argv) {
  prepareSignals(argv[0]);
  declareEmbeddedLinker();
  using Main = int (*)(int, char **);
  const auto run = llvm::StringSwitch<Main>(llvm::sys::path::filename(argv[0]))
                       .Case("nnet3-opt", optProgram)
                       .Case("nnet3-translate", translateMain)
                       .Case("nnet3-compile", compileMain)
                       .Case("nnet3-run", runMain)
                       .Cases({"ld.lld", "wasm-ld"}, linkMain)
                       .Default(runProgram);
  return run(argc, argv);
}
