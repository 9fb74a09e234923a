//===- XconfigFuzzer.cpp - Any text as an xconfig -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FuzzContext.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"
#include "nnet3/Target/Kaldi/Xconfig.h"

using namespace mlir::nnet3;
using namespace mlir::nnet3::fuzz;

static mlir::FailureOr<XconfigExpansion> expand(llvm::StringRef text) {
  return expandXconfig({text, "fuzz.xconfig"}, /*existing=*/nullptr,
                       &getFuzzContext());
}

/// Checks that the xconfig written with all keys expands to the same config and
/// does not change any more.
static void checkExpanded(const XconfigExpansion &expansion,
                          llvm::StringRef text) {
  auto again = expand(text);
  require(succeeded(again), "an xconfig with all keys is refused");
  require(again->final.getText() == expansion.final.getText() &&
              again->init.getText() == expansion.init.getText() &&
              again->reference.getText() == expansion.reference.getText(),
          "an xconfig with all keys has another config");
  require(again->withDescriptors == expansion.withDescriptors,
          "an xconfig with all keys changes when it is expanded");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  beginInput();
  auto expansion = expand(asText(data, size));
  if (failed(expansion))
    return 0;
  checkExpanded(*expansion, expansion->withDefaults);
  checkExpanded(*expansion, expansion->withDescriptors);
  for (const ExpandedConfig *config :
       {&expansion->init, &expansion->reference, &expansion->final}) {
    auto module = createNetworkModule(mlir::UnknownLoc::get(&getFuzzContext()));
    if (!config->empty())
      (void)readExpandedConfig(getOnlyNetwork(*module), *expansion, *config);
  }
  return 0;
}
