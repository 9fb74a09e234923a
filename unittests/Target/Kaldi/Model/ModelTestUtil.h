//===- ModelTestUtil.h - Helpers for tests of model files -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_UNITTESTS_TARGET_KALDI_MODEL_MODELTESTUTIL_H
#define NNET3_UNITTESTS_TARGET_KALDI_MODEL_MODELTESTUTIL_H

#include "mlir/IR/MLIRContext.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/LoadModel.h"
#include "nnet3/Target/Kaldi/ModelReader.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

namespace mlir::nnet3::test {

/// Returns the path of a file under test/Inputs/models.
inline std::string modelPath(llvm::StringRef name) {
  return (NNET3_TEST_INPUTS "/models/" + name).str();
}

/// Returns the contents of a file under test/Inputs/models.
inline std::string readModelFile(llvm::StringRef name) {
  auto buffer = llvm::MemoryBuffer::getFile(modelPath(name), /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer) {
    ADD_FAILURE() << modelPath(name) << ": " << buffer.getError().message();
    return {};
  }
  return (*buffer)->getBuffer().str();
}

/// Returns the network of `module` as a raw model; empty after an error.
inline std::string toRaw(ModuleOp module, bool binary = true) {
  std::string out;
  llvm::raw_string_ostream os(out);
  auto network = getOnlyNetwork(module);
  if (!network || failed(writeModel(network, os, binary)))
    return {};
  return out;
}

/// A context that keeps its diagnostics as text, one line each.
struct TestContext {
  MLIRContext context{MLIRContext::Threading::DISABLED};
  std::string messages;
  llvm::raw_string_ostream stream{messages};
  LineDiagnosticHandler handler{&context, stream};

  TestContext() { context.printOpOnDiagnostic(false); }

  OwningOpRef<ModuleOp> read(llvm::StringRef data) {
    return readModel(data, "model", &context);
  }
};

/// Returns the error of reading `data`, or "ok".
inline std::string errorOf(llvm::StringRef data) {
  TestContext test;
  return test.read(data) ? "ok" : test.messages;
}

} // namespace mlir::nnet3::test

#endif // NNET3_UNITTESTS_TARGET_KALDI_MODEL_MODELTESTUTIL_H
