//===- MlirFuzzer.cpp - Any text as MLIR ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FuzzContext.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::nnet3::fuzz;
using namespace mlir;

/// The parser requires a zero byte after `text`.
static OwningOpRef<ModuleOp> parse(const std::string &text) {
  return parseSourceString<ModuleOp>(text, &getFuzzContext(), "fuzz.mlir");
}

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  beginInput();
  OwningOpRef<ModuleOp> module = parse(asText(data, size).str());
  if (!module)
    return 0;
  std::string text = print(*module);
  OwningOpRef<ModuleOp> again = parse(text);
  require(bool(again), "a module that was printed does not parse");
  // Resources that come again in the same context get other names, also those
  // that are not there.
  if (!llvm::StringRef(text).contains("dense_resource"))
    require(print(*again) == text, "a printed module changes");
  return 0;
}
