//===- Diagnostics.h - Locations in Kaldi's files ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TARGET_KALDI_DIAGNOSTICS_H
#define NNET3_TARGET_KALDI_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "nnet3/Kaldi/IO/KaldiError.h"

namespace mlir::nnet3 {

/// Converts a location in `file`: to a FileLineColLoc for text, to the NameLoc
/// "FILE:byte N" for a binary file, which has no lines.
Location getFileLocation(MLIRContext *context, llvm::StringRef file,
                         const ::nnet3::kaldi::FileLocation &location);

/// Emits `error`, at its location if it has one in a file. Returns success if
/// there is no error.
llvm::LogicalResult emitFileError(MLIRContext *context, llvm::Error error);

/// Prints each diagnostic of `context` as one line, `FILE:LINE:COL: error:
/// MESSAGE` or `FILE:byte N: error: MESSAGE`, notes after their diagnostic.
/// During its lifetime, handlers that were registered before are not called.
class LineDiagnosticHandler : public ScopedDiagnosticHandler {
public:
  LineDiagnosticHandler(MLIRContext *context, llvm::raw_ostream &os);
};

} // namespace mlir::nnet3

#endif // NNET3_TARGET_KALDI_DIAGNOSTICS_H
