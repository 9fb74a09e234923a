//===- SourceDiagnostics.h - Diagnostics with their line --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TARGET_KALDI_SOURCEDIAGNOSTICS_H
#define NNET3_TARGET_KALDI_SOURCEDIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::nnet3 {

namespace detail {
/// Passes on to stderr what is written to it, made printable.
class PrintableStream : public llvm::raw_ostream {
public:
  PrintableStream() { SetUnbuffered(); }

private:
  void write_impl(const char *data, size_t size) override;
  uint64_t current_pos() const override { return position; }

  uint64_t position = 0;
};
} // namespace detail

/// Prints diagnostics with the line of the file that they are about, as MLIR's
/// own handler does, but printable and short, also where the line is long or
/// the file is binary.
class SourceDiagnosticHandler : private detail::PrintableStream,
                                public SourceMgrDiagnosticHandler {
public:
  /// `sourceMgr` gets a handler of its own diagnostics; it must outlive the
  /// context's diagnostics.
  SourceDiagnosticHandler(llvm::SourceMgr &sourceMgr, MLIRContext *context);
};

} // namespace mlir::nnet3

#endif // NNET3_TARGET_KALDI_SOURCEDIAGNOSTICS_H
