//===- Script.cpp - The lines of script files -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Script.h"
#include "nnet3/Kaldi/IO/PrintableText.h"
#include "llvm/ADT/StringExtras.h"

using namespace nnet3::kaldi;
using llvm::LogicalResult;
using llvm::StringRef;

LogicalResult nnet3::kaldi::readScriptLine(KaldiReader &script,
                                           ScriptLine &line) {
  std::string text;
  if (failed(script.readLine(text)))
    return llvm::failure();
  line.location = script.getLocation();
  if (StringRef(text).contains('\0'))
    return script.fail("expects a script file, which is text, but got a zero "
                       "byte; archives are read as 'ark:'");
  StringRef trimmed = StringRef(text).trim();
  size_t keyEnd = std::min(trimmed.find_if(llvm::isSpace), trimmed.size());
  StringRef file = trimmed.drop_front(keyEnd).ltrim();
  if (file.empty())
    return script.fail("expects a key and a file name, but got " +
                       quoteForMessage(trimmed));
  line.key = trimmed.take_front(keyEnd).str();
  line.range.clear();
  if (file.ends_with("]")) {
    size_t bracket = file.rfind('[');
    if (bracket == StringRef::npos || bracket + 2 == file.size())
      return script.fail("expects a range in brackets, but got " +
                         quoteForMessage(file));
    line.range = file.substr(bracket + 1).drop_back().str();
    file = file.take_front(bracket).rtrim();
  }
  line.file = file.str();
  return llvm::success();
}

void nnet3::kaldi::warnAbout(const TableOptions &options, StringRef warning) {
  if (options.warn)
    options.warn(makeShortMessage(warning));
}

void nnet3::kaldi::warnAbout(const TableOptions &options, StringRef script,
                             const ScriptLine &line, StringRef warning) {
  warnAbout(options,
            (script + ":" + llvm::Twine(line.location.line) + ":" +
             llvm::Twine(line.location.column) + ": warning: " + warning)
                .str());
}
