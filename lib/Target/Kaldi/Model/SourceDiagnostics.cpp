//===- SourceDiagnostics.cpp - Diagnostics with source lines --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Target/Kaldi/SourceDiagnostics.h"
#include "nnet3/Kaldi/IO/PrintableText.h"
#include "llvm/Support/SourceMgr.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::StringRef;

void detail::PrintableStream::write_impl(const char *data, size_t size) {
  llvm::errs() << makePrintable(StringRef(data, size));
  position += size;
}

/// Returns `FILE:LINE:COL`, as far as they are known.
static std::string describePlace(const llvm::SMDiagnostic &diagnostic) {
  StringRef file = diagnostic.getFilename();
  std::string place = file == "-" ? "<stdin>" : makePrintable(file);
  if (file.empty() || diagnostic.getLineNo() < 0)
    return place;
  place += ":" + std::to_string(diagnostic.getLineNo());
  if (diagnostic.getColumnNo() >= 0)
    place += ":" + std::to_string(diagnostic.getColumnNo() + 1);
  return place;
}

static void print(const llvm::SMDiagnostic &diagnostic, void *) {
  llvm::SMDiagnostic(describePlace(diagnostic), diagnostic.getKind(),
                     makeShortMessage(diagnostic.getMessage()))
      .print(nullptr, llvm::errs());
  if (diagnostic.getLineNo() < 0 || diagnostic.getColumnNo() < 0)
    return;
  LineExcerpt excerpt =
      excerptLine(diagnostic.getLineContents(), diagnostic.getColumnNo());
  llvm::errs() << excerpt.text << '\n';
  llvm::errs().indent(excerpt.caret) << "^\n";
}

SourceDiagnosticHandler::SourceDiagnosticHandler(llvm::SourceMgr &sourceMgr,
                                                 mlir::MLIRContext *context)
    // The stream serves diagnostics whose file the source manager does not
    // have.
    : mlir::SourceMgrDiagnosticHandler(
          sourceMgr, context, static_cast<detail::PrintableStream &>(*this)) {
  sourceMgr.setDiagHandler(print);
}
