//===- Diagnostics.cpp - Positions in Kaldi's files as locations ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Kaldi/IO/PrintableText.h"

using namespace ::nnet3::kaldi;
using namespace mlir;

namespace mlir::nnet3 {

Location getFileLocation(MLIRContext *context, StringRef file,
                         const FileLocation &location) {
  if (location.line != 0)
    return FileLineColLoc::get(context, file, location.line, location.column);
  return NameLoc::get(
      StringAttr::get(context, file + ":byte " + Twine(location.byte)));
}

static void attachNotes(InFlightDiagnostic diagnostic,
                        ArrayRef<KaldiNote> notes) {
  for (const KaldiNote &note : notes) {
    MLIRContext *context =
        diagnostic.getUnderlyingDiagnostic()->getLocation().getContext();
    Location location = UnknownLoc::get(context);
    if (!note.file.empty())
      location = getFileLocation(context, note.file, note.location);
    diagnostic.attachNote(location) << note.message;
  }
}

LogicalResult emitFileError(MLIRContext *context, llvm::Error error) {
  if (!error)
    return success();
  llvm::handleAllErrors(
      std::move(error),
      [&](const KaldiError &e) {
        attachNotes(emitError(getFileLocation(context, e.file, e.location))
                        << e.message,
                    e.notes);
      },
      [&](const KaldiFileError &e) {
        attachNotes(emitError(NameLoc::get(StringAttr::get(context, e.file)))
                        << e.message,
                    e.notes);
      },
      [&](const llvm::ErrorInfoBase &e) {
        emitError(UnknownLoc::get(context)) << e.message();
      });
  return failure();
}

/// Returns `FILE:LINE:COL`, the name of a NameLoc, or an empty string.
static std::string describe(Location location) {
  if (auto place = location->findInstanceOf<FileLineColLoc>())
    return (place.getFilename().getValue() + ":" + Twine(place.getLine()) +
            ":" + Twine(place.getColumn()))
        .str();
  if (auto name = location->findInstanceOf<NameLoc>())
    return name.getName().str();
  return "";
}

static StringRef getKind(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Note:
    return "note";
  case DiagnosticSeverity::Warning:
    return "warning";
  case DiagnosticSeverity::Error:
    return "error";
  case DiagnosticSeverity::Remark:
    return "remark";
  }
  llvm_unreachable("unknown severity");
}

/// Writes the line at once, as several processes may write to one terminal.
static void printLine(Diagnostic &diagnostic, raw_ostream &os) {
  std::string place = describe(diagnostic.getLocation());
  if (!place.empty())
    place = makeShortMessage(place) + ": ";
  os << (Twine(place) + getKind(diagnostic.getSeverity()) + ": " +
         makeShortMessage(diagnostic.str()) + "\n")
            .str();
}

LineDiagnosticHandler::LineDiagnosticHandler(MLIRContext *context,
                                             raw_ostream &os)
    : ScopedDiagnosticHandler(context) {
  setHandler([&os](Diagnostic &diagnostic) {
    printLine(diagnostic, os);
    for (Diagnostic &note : diagnostic.getNotes())
      printLine(note, os);
    return success();
  });
}

} // namespace mlir::nnet3
