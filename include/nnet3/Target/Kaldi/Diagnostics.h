//===- Diagnostics.h - Places in Kaldi's files as locations -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TARGET_KALDI_DIAGNOSTICS_H
#define NNET3_TARGET_KALDI_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "nnet3/Kaldi/IO/KaldiError.h"

namespace mlir::nnet3 {

/// The location of a place in `file`: a FileLineColLoc in text. In a binary
/// file lines mean nothing; there it is the NameLoc "FILE:byte N".
Location getFileLocation(MLIRContext *context, llvm::StringRef file,
                         const ::nnet3::kaldi::FileLocation &location);

/// Emits `error`, where it is about a place in a file at that location. Success
/// if there is no error.
llvm::LogicalResult emitFileError(MLIRContext *context, llvm::Error error);

/// Prints each diagnostic of `context` as one line, `FILE:LINE:COL: error:
/// MESSAGE` or `FILE:byte N: error: MESSAGE`, notes after their diagnostic.
/// While it lives, no handler registered before it is called.
class LineDiagnosticHandler : public ScopedDiagnosticHandler {
public:
  LineDiagnosticHandler(MLIRContext *context, llvm::raw_ostream &os);
};

} // namespace mlir::nnet3

#endif // NNET3_TARGET_KALDI_DIAGNOSTICS_H
