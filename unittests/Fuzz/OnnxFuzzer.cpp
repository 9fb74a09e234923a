//===- OnnxFuzzer.cpp - Any bytes as an ONNX model ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FuzzContext.h"
#include "nnet3/Target/Kaldi/ModelReader.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"
#include "nnet3/Target/Onnx/OnnxImport.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::nnet3;
using namespace mlir::nnet3::fuzz;
using mlir::ModuleOp;
using mlir::OwningOpRef;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  beginInput();
  OwningOpRef<ModuleOp> module = readOnnx(asText(data, size), "fuzz.onnx",
                                          /*layouts=*/{}, &getFuzzContext());
  if (!module)
    return 0;
  std::string written;
  llvm::raw_string_ostream os(written);
  require(succeeded(writeModel(getOnlyNetwork(*module), os, /*binary=*/true)),
          "a network from ONNX cannot be written as a model");
  require(bool(readModel(written, "fuzz.raw", &getFuzzContext())),
          "a model from ONNX cannot be read");
  return 0;
}
