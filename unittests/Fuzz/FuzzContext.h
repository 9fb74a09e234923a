//===- FuzzContext.h - MLIR contexts of the fuzz targets --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_UNITTESTS_FUZZ_FUZZCONTEXT_H
#define NNET3_UNITTESTS_FUZZ_FUZZCONTEXT_H

#include "FuzzTarget.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"
#include <memory>

namespace mlir::nnet3::fuzz {

/// Returns a context with the dialects loaded, whose diagnostics are formatted
/// and dropped.
inline std::unique_ptr<MLIRContext> makeFuzzContext() {
  auto context =
      std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
  context->loadDialect<Nnet3Dialect, memref::MemRefDialect>();
  context->printOpOnDiagnostic(false);
  context->getDiagEngine().registerHandler(
      [](Diagnostic &diagnostic) { (void)diagnostic.str(); });
  return context;
}

/// Returns the context of the current input.
inline std::unique_ptr<MLIRContext> &getFuzzContextHolder() {
  static std::unique_ptr<MLIRContext> context = makeFuzzContext();
  return context;
}
inline MLIRContext &getFuzzContext() { return *getFuzzContextHolder(); }

/// Called at the beginning of an input. Replaces the context from time to time,
/// because it keeps everything created in it.
inline void beginInput() {
  constexpr unsigned usesOfOne = 256;
  static unsigned uses = 0;
  if (++uses % usesOfOne == 0)
    getFuzzContextHolder() = makeFuzzContext();
}

/// Returns the bytes as text.
inline llvm::StringRef asText(const uint8_t *data, size_t size) {
  return {reinterpret_cast<const char *>(data), size};
}

} // namespace mlir::nnet3::fuzz

#endif // NNET3_UNITTESTS_FUZZ_FUZZCONTEXT_H
