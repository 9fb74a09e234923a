//===- ConfigFuzzer.cpp - Any text as a config file -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FuzzContext.h"
#include "nnet3/Target/Kaldi/Config.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::nnet3;
using namespace mlir::nnet3::fuzz;

/// Reads `text` and writes it in canonical form; none if either fails.
static std::optional<std::string> rewrite(llvm::StringRef text) {
  ConfigSource source{text, "fuzz.config"};
  mlir::OwningOpRef<mlir::ModuleOp> module =
      importConfigs(source, &getFuzzContext());
  std::string written;
  llvm::raw_string_ostream os(written);
  if (!module || failed(writeConfig(getOnlyNetwork(*module), os)))
    return std::nullopt;
  return written;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  beginInput();
  std::optional<std::string> once = rewrite(asText(data, size));
  if (once)
    require(rewrite(*once) == once, "a canonical config changes when read");
  return 0;
}
