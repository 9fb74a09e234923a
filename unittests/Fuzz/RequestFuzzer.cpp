//===- RequestFuzzer.cpp - Any text as requests ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FuzzContext.h"
#include "mlir/IR/Verifier.h"
#include "nnet3/Target/Kaldi/RequestReader.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::nnet3;
using namespace mlir::nnet3::fuzz;
using namespace mlir;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  beginInput();
  MLIRContext &context = getFuzzContext();
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  auto builder = OpBuilder::atBlockEnd(module->getBody());
  auto requests =
      readRequests(asText(data, size), "fuzz.request", "network", builder);
  if (failed(requests)) {
    require(module->getBody()->empty(), "a request is left of what failed");
    return 0;
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  for (mlir::nnet3::RequestOp request : *requests) {
    require(succeeded(verify(request)), "an invalid request");
    os << request;
  }
  return 0;
}
