//===- TableSpecifier.cpp - rspecifiers and wspecifiers -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Kaldi/Tables/TableSpecifier.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"

using namespace nnet3::kaldi;
using llvm::StringRef;

static llvm::Error specifierError(StringRef text, const llvm::Twine &message) {
  return makeFileError("", quoteForMessage(text) + ": " + message);
}

/// Splits `options:target`. Trailing blanks are an error, because they are hard
/// to see.
static llvm::Error split(StringRef text,
                         llvm::SmallVectorImpl<StringRef> &options,
                         StringRef &target) {
  size_t colon = text.find(':');
  if (colon == StringRef::npos)
    return specifierError(text, "expects 'ark:' or 'scp:' before the file");
  if (llvm::isSpace(text.back()))
    return specifierError(text, "expects no blank at the end");
  text.take_front(colon).split(options, ',');
  target = text.drop_front(colon + 1);
  return llvm::Error::success();
}

/// Sets the field for `option`; returns false if there is none.
static bool setOption(RSpecifier &result, StringRef option) {
  bool value = !option.starts_with("n");
  bool *field = llvm::StringSwitch<bool *>(option)
                    .Cases({"o", "no"}, &result.once)
                    .Cases({"s", "ns"}, &result.sorted)
                    .Cases({"cs", "ncs"}, &result.calledSorted)
                    .Cases({"p", "np"}, &result.permissive)
                    .Default(nullptr);
  if (field)
    *field = value;
  // Background reading and the file mode do not change the result.
  return field || option == "bg" || option == "b" || option == "t";
}

llvm::Expected<RSpecifier> RSpecifier::parse(StringRef text) {
  RSpecifier result;
  llvm::SmallVector<StringRef> options;
  StringRef target;
  if (llvm::Error error = split(text, options, target))
    return error;
  unsigned kinds = 0;
  for (StringRef option : options) {
    if (option == "ark" || option == "scp") {
      result.isScript = option == "scp";
      ++kinds;
    } else if (!setOption(result, option)) {
      return specifierError(text, "unknown option " + quoteForMessage(option) +
                                      " of a table to read");
    }
  }
  if (kinds != 1)
    return specifierError(text, "expects one of 'ark' and 'scp', but got " +
                                    llvm::Twine(kinds));
  result.rxfilename = target.str();
  return result;
}

/// Sets the field for `option`; returns false if the option is unknown.
static bool setOption(WSpecifier &result, StringRef option) {
  if (option == "b" || option == "t")
    result.binary = option == "b";
  else if (option == "p")
    result.permissive = true;
  else
    // Every record is flushed in any case.
    return option == "f" || option == "nf";
  return true;
}

llvm::Expected<WSpecifier> WSpecifier::parse(StringRef text) {
  WSpecifier result;
  llvm::SmallVector<StringRef> options;
  StringRef target;
  if (llvm::Error error = split(text, options, target))
    return error;
  for (StringRef option : options) {
    bool &kind = option == "ark" ? result.writesArchive : result.writesScript;
    if (option != "ark" && option != "scp") {
      if (!setOption(result, option))
        return specifierError(text, "unknown option " +
                                        quoteForMessage(option) +
                                        " of a table to write");
      continue;
    }
    if (kind)
      return specifierError(text, quoteForMessage(option) + " comes twice");
    if (option == "ark" && result.writesScript)
      return specifierError(text, "expects 'ark' before 'scp'");
    kind = true;
  }
  if (!result.writesArchive && !result.writesScript)
    return specifierError(text, "expects 'ark', 'scp' or 'ark,scp'");
  if (!result.writesScript) {
    result.archive = target.str();
  } else if (!result.writesArchive) {
    result.script = target.str();
  } else {
    auto [archive, script] = target.split(',');
    if (archive.empty() || script.empty() || script.contains(','))
      return specifierError(text, "expects an archive and a script file, "
                                  "separated by one comma");
    result.archive = archive.str();
    result.script = script.str();
  }
  return result;
}

llvm::Error nnet3::kaldi::checkIsNotRead(StringRef wspecifier,
                                         StringRef rspecifier) {
  auto to = llvm::expectedToOptional(WSpecifier::parse(wspecifier));
  auto from = llvm::expectedToOptional(RSpecifier::parse(rspecifier));
  if (!to || !from)
    return llvm::Error::success();
  for (const std::string &file : {to->archive, to->script})
    if (llvm::sys::fs::is_regular_file(file) &&
        llvm::sys::fs::equivalent(file, from->rxfilename))
      return makeFileError(file, "is read, and cannot be written meanwhile");
  return llvm::Error::success();
}
