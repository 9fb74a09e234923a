//===- WebModule.cpp - Libraries in WebAssembly ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Library/WebModule.h"
#include "TextTemplate.h"
#include "nnet3/runtime/nnet3lib.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir::nnet3;
using llvm::StringRef;

/// The ES module and its types, with what differs between libraries left open.
static constexpr StringRef kModule =
#include "Module.inc"
    ;
static constexpr StringRef kTypes =
#include "Types.inc"
    ;

/// What the ES module calls beside the public functions: functions of
/// runtime/web/Host.cpp, and of nnet3_features.h.
static constexpr StringRef kHostFunctions[] = {
    "_initialize",
    "nnet3web_allocate",
    "nnet3web_failure",
    "nnet3web_free",
    "nnet3_features_close",
    "nnet3_features_create",
    "nnet3_features_destroy",
    "nnet3_features_dim",
    "nnet3_features_error_text",
    "nnet3_features_finish",
    "nnet3_features_frame_shift",
    "nnet3_features_open",
    "nnet3_features_push",
    "nnet3_features_reset",
    "nnet3_features_sample_frequency",
};

static constexpr StringRef kPublicFunctions[] = {
#define NNET3LIB_WRAPPER(name, signature) #name,
#include "nnet3/runtime/LibraryWrappers.def"
};

std::vector<std::string>
mlir::nnet3::getWebLinkArguments(const LibraryOptions &options) {
  // The stack lies below all data, so that a program without room for it stops.
  std::vector<std::string> arguments = {
      "--no-entry", "--gc-sections", "--strip-all", "-z", "stack-size=1048576"};
  for (StringRef name : kHostFunctions)
    arguments.push_back(("--export=" + name).str());
  for (StringRef name : kPublicFunctions)
    arguments.push_back(("--export=" + options.prefix + "_" + name).str());
  return arguments;
}

std::string mlir::nnet3::getWebModule(const LibraryOptions &options,
                                      StringRef name, size_t weightsBytes) {
  const std::vector<std::string> needs = options.target.getRequirements();
  return fillTemplate(
      kModule, {{"NAME", name.str()},
                {"PREFIX", options.prefix},
                {"NEEDS", "[\"" + llvm::join(needs, "\", \"") + "\"]"},
                {"ABI_VERSION", std::to_string(NNET3LIB_ABI_VERSION)},
                {"WEIGHTS_BYTES",
                 std::to_string(options.embedWeights ? 0 : weightsBytes)}});
}

std::string mlir::nnet3::getWebTypes(StringRef name) {
  return fillTemplate(kTypes, {{"NAME", name.str()}});
}
