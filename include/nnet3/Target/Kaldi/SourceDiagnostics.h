//===- SourceDiagnostics.h - Diagnostics with source lines ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TARGET_KALDI_SOURCEDIAGNOSTICS_H
#define NNET3_TARGET_KALDI_SOURCEDIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::nnet3 {

namespace detail {
/// A stream that writes printable text to stderr.
class PrintableStream : public llvm::raw_ostream {
public:
  PrintableStream() { SetUnbuffered(); }

private:
  void write_impl(const char *data, size_t size) override;
  uint64_t current_pos() const override { return position; }

  uint64_t position = 0;
};
} // namespace detail

/// Prints diagnostics with their source line, like MLIR's handler, but makes
/// the line printable and short, for long lines and binary files.
class SourceDiagnosticHandler : private detail::PrintableStream,
                                public SourceMgrDiagnosticHandler {
public:
  /// Sets the diagnostic handler of `sourceMgr`, which must outlive the
  /// diagnostics of the context.
  SourceDiagnosticHandler(llvm::SourceMgr &sourceMgr, MLIRContext *context);
};

} // namespace mlir::nnet3

#endif // NNET3_TARGET_KALDI_SOURCEDIAGNOSTICS_H
