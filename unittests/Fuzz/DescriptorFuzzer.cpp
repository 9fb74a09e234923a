//===- DescriptorFuzzer.cpp - Any text as a descriptor --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FuzzContext.h"
#include "nnet3/Target/Kaldi/DescriptorParser.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::nnet3;
using namespace mlir::nnet3::fuzz;
using mlir::nnet3::Descriptor;

static mlir::FailureOr<Descriptor> parse(llvm::StringRef text) {
  mlir::MLIRContext &context = getFuzzContext();
  return parseDescriptor(text, [&](size_t offset) -> mlir::LocationAttr {
    require(offset <= text.size(), "an error beyond the end of the text");
    return mlir::FileLineColLoc::get(&context, "fuzz", 1, offset + 1);
  });
}

static std::string toText(const Descriptor &descriptor) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(descriptor, os);
  return text;
}

/// Checks that a normal form does not change by printing or normalising.
static void checkNormalForm(const Descriptor &normal) {
  require(isNormalized(normal), "a normal form that is not one");
  std::string text = toText(normal);
  auto parsed = parse(text);
  require(succeeded(parsed), "a printed descriptor does not parse");
  auto again = normalize(*parsed, [&](mlir::LocationAttr loc) {
    return mlir::emitError(mlir::Location(loc));
  });
  require(succeeded(again) && toText(*again) == text,
          "a normal form that changes");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  beginInput();
  auto parsed = parse(asText(data, size));
  if (failed(parsed))
    return 0;
  auto normal = normalize(*parsed, [&](mlir::LocationAttr loc) {
    return mlir::emitError(mlir::Location(loc));
  });
  if (succeeded(normal))
    checkNormalForm(*normal);
  return 0;
}
