//===- KaldiError.cpp - Errors with a position in a file ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Kaldi/IO/PrintableText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace nnet3::kaldi;

char KaldiError::ID = 0;
char KaldiFileError::ID = 0;

/// A file name may come from a file and contain any bytes.
static std::string printFileName(llvm::StringRef file) {
  constexpr size_t kMaxShown = 500;
  std::string name = makePrintable(file.take_front(kMaxShown));
  return file.size() > kMaxShown ? name + "..." : name;
}

static void print(llvm::raw_ostream &os, llvm::StringRef file,
                  const FileLocation &location) {
  os << printFileName(file) << ':';
  if (location.line)
    os << location.line << ':' << location.column;
  else
    os << "byte " << location.byte;
  os << ": ";
}

static void print(llvm::raw_ostream &os, llvm::ArrayRef<KaldiNote> notes) {
  for (const KaldiNote &note : notes) {
    os << '\n';
    if (!note.file.empty())
      print(os, note.file, note.location);
    os << "note: " << makeShortMessage(note.message);
  }
}

void KaldiError::log(llvm::raw_ostream &os) const {
  print(os, file, location);
  os << "error: " << makeShortMessage(message);
  print(os, notes);
}

std::error_code KaldiError::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}

void KaldiFileError::log(llvm::raw_ostream &os) const {
  if (!file.empty())
    os << printFileName(file) << ": ";
  os << "error: " << makeShortMessage(message);
  print(os, notes);
}

std::error_code KaldiFileError::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}

llvm::Error nnet3::kaldi::makeFileError(const llvm::Twine &file,
                                        const llvm::Twine &message) {
  return llvm::make_error<KaldiFileError>(file.str(), message.str());
}

llvm::Error nnet3::kaldi::addNote(llvm::Error error, const KaldiNote &note) {
  auto add = [&](auto located) {
    located->notes.push_back(note);
    return llvm::Error(std::move(located));
  };
  return llvm::handleErrors(
      std::move(error),
      [&](std::unique_ptr<KaldiError> e) { return add(std::move(e)); },
      [&](std::unique_ptr<KaldiFileError> e) { return add(std::move(e)); });
}

std::string nnet3::kaldi::quoteForMessage(llvm::StringRef text) {
  constexpr size_t maxShown = 60;
  std::string result;
  llvm::raw_string_ostream os(result);
  os << '\'';
  llvm::printEscapedString(text.take_front(maxShown), os);
  os << (text.size() > maxShown ? "...'" : "'");
  return result;
}
