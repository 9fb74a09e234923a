//===- ModelFuzzer.cpp - Any bytes as a trained model ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FuzzContext.h"
#include "nnet3/Target/Kaldi/ModelReader.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::nnet3;
using namespace mlir::nnet3::fuzz;
using mlir::ModuleOp;
using mlir::OwningOpRef;

static OwningOpRef<ModuleOp> read(llvm::StringRef bytes) {
  return readModel(bytes, "fuzz.raw", &getFuzzContext());
}

static std::string write(ModuleOp module, bool binary) {
  std::string written;
  llvm::raw_string_ostream os(written);
  require(succeeded(writeModel(getOnlyNetwork(module), os, binary)),
          "a model that was read cannot be written");
  return written;
}

/// Checks that a network with a transition model can be written and read as an
/// acoustic model.
static void checkAcoustic(ModuleOp module) {
  auto network = getOnlyNetwork(module);
  if (!network.getTransitionModelAttr())
    return;
  for (bool binary : {true, false}) {
    std::string written;
    llvm::raw_string_ostream os(written);
    require(succeeded(writeAcousticModel(network, 1, 2, os, binary)),
            "an acoustic model that was read cannot be written");
    require(bool(read(written)), "an acoustic model cannot be read again");
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  beginInput();
  OwningOpRef<ModuleOp> module = read(asText(data, size));
  if (!module)
    return 0;
  std::string binary = write(*module, /*binary=*/true);
  OwningOpRef<ModuleOp> again = read(binary);
  require(bool(again), "a model that was written in binary cannot be read");
  require(write(*again, /*binary=*/true) == binary,
          "a binary model changes when it is rewritten");
  require(bool(read(write(*module, /*binary=*/false))),
          "a model that was written as text cannot be read");
  checkAcoustic(*module);
  return 0;
}
