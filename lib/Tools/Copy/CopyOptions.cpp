//===- CopyOptions.cpp - The command line of nnet3-copy -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CopyOptions.h"
#include "nnet3/Kaldi/IO/KaldiError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::StringRef;

static constexpr StringRef kKinds[] = {
    "matrix",  "vector",      "int-vector",       "posterior",
    "indexes", "egs",         "chain-egs",        "model",
    "request", "computation", "computation-cache"};

bool mlir::nnet3::isKind(StringRef word) {
  return llvm::is_contained(kKinds, word);
}

void CopyOptions::registerOptions(OptionParser &parser) {
  parser.beginGroup("Values");
  parser.add("binary", &binary,
             "Write a file in binary; of a table its options b and t tell");
  parser.add("digits", &digits,
             "Significant digits in text: 9 reads back exactly, Kaldi has 7");
  parser.add("compress", &compress,
             "Compress matrices that are full, by --compression-method");
  parser.add("compression-method", &compressionMethod,
             "1 automatic, 2 speech-feature, 3 two-byte, 4 two-byte signed "
             "integer, 5 one-byte, 6 one-byte unsigned integer, 7 one-byte 0 "
             "to 1");
  parser.add("decompress", &decompress,
             "Write matrices that are compressed or sparse as full ones");
  parser.add("allow-scp-pipes", &allowScpPipes,
             "Run the commands that scp files name as inputs");
  parser.beginGroup("Training examples");
  parser.add("io", &io,
             "Write only the matrices that egs have under this name");
  parser.beginGroup("Models");
  parser.add("raw", &raw, "Write only the network of an acoustic model");
  parser.beginGroup("Changes of models, with two arguments");
  parser.add("print-args", &printArgs, "Print the command line to stderr");
  parser.add("verbose", &changes.verbose, "Print more the higher it is");
  changes.registerOptions(parser);
}

static llvm::Error expectOneTo(StringRef option, int64_t most, int64_t got) {
  if (got >= 1 && got <= most)
    return llvm::Error::success();
  return optionError("option '--" + option + "' expects 1 to " +
                     llvm::Twine(most) + ", but got " + llvm::Twine(got));
}

llvm::Error CopyOptions::finish(llvm::ArrayRef<std::string> positional) {
  if (positional.size() != 3)
    return optionError("expects KIND, INPUT and OUTPUT, but got " +
                       llvm::Twine(positional.size()) +
                       " arguments; see --help");
  kind = positional[0];
  input = positional[1];
  output = positional[2];
  if (!isKind(kind)) {
    StringRef nearest =
        *llvm::min_element(kKinds, [&](StringRef a, StringRef b) {
          return a.edit_distance(kind) < b.edit_distance(kind);
        });
    return optionError("unknown kind " + quoteForMessage(kind) +
                       (nearest.edit_distance(kind) <= 2
                            ? "; did you mean '" + nearest.str() + "'?"
                            : "; see --help"));
  }
  if (llvm::Error error =
          expectOneTo("compression-method", 7, compressionMethod))
    return error;
  if (llvm::Error error = expectOneTo("digits", 17, digits))
    return error;
  if (compress && decompress)
    return optionError("expects one of '--compress' and '--decompress'");
  return llvm::Error::success();
}

TableOptions CopyOptions::getTableOptions() const {
  TableOptions result;
  result.allowScpPipes = allowScpPipes;
  result.digits = digits;
  result.warn = [](StringRef warning) { llvm::errs() << warning << "\n"; };
  return result;
}

bool mlir::nnet3::isTableName(StringRef name) {
  if (!name.contains(':'))
    return false;
  llvm::SmallVector<StringRef> words;
  name.split(':').first.split(words, ',');
  return llvm::is_contained(words, "ark") || llvm::is_contained(words, "scp");
}
