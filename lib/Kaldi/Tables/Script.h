//===- Script.h - The lines of script files ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_KALDI_TABLES_SCRIPT_H
#define NNET3_KALDI_TABLES_SCRIPT_H

#include "TableValue.h"
#include "nnet3/Kaldi/IO/Input.h"
#include "nnet3/Kaldi/Tables/Tables.h"

namespace nnet3::kaldi {

/// A line of a script file.
struct ScriptLine {
  std::string key;
  /// The file that holds the value.
  std::string file;
  /// The text in the brackets after the file; empty if there are none.
  std::string range;
  FileLocation location;
};

/// Reads the next line of a script file.
llvm::LogicalResult readScriptLine(KaldiReader &script, ScriptLine &line);

/// Reports a warning, if the options have a handler.
void warnAbout(const TableOptions &options, llvm::StringRef warning);

/// Reports a warning about a line of the script named `script`.
void warnAbout(const TableOptions &options, llvm::StringRef script,
               const ScriptLine &line, llvm::StringRef warning);

/// Loads the value that `line` names. An error in another file gets a note with
/// the line of the script.
template <typename T>
llvm::Error loadScriptValue(llvm::StringRef script, const ScriptLine &line,
                            const TableOptions &options, T &value) {
  const KaldiNote note = {script.str(), line.location,
                          "needed for key " + quoteForMessage(line.key)};
  auto source =
      openInput(line.file,
                options.allowScpPipes ? PipePolicy::Allow : PipePolicy::Refuse);
  if (!source)
    return addNote(source.takeError(), note);
  KaldiReader reader(**source);
  if (failed(readTableValue(reader, value)))
    return addNote(reader.takeError(), note);
  if (line.range.empty())
    return llvm::Error::success();
  std::string warning;
  std::string wrong = applyRange(line.range, value, warning);
  if (!wrong.empty())
    return llvm::make_error<KaldiError>(script.str(), line.location,
                                        std::move(wrong));
  if (!warning.empty())
    warnAbout(options, script, line, warning);
  return llvm::Error::success();
}

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_TABLES_SCRIPT_H
