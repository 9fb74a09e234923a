//===- TableSpecifier.h - rspecifiers and wspecifiers -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The strings by which Kaldi's users name tables: `ark,s,cs:feats.ark`,
// `scp:feats.scp`, `ark,t:-`, `ark,scp:out.ark,out.scp` (spec: formats.md 7).
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_KALDI_TABLES_TABLESPECIFIER_H
#define NNET3_KALDI_TABLES_TABLESPECIFIER_H

#include "llvm/Support/Error.h"
#include <string>

namespace nnet3::kaldi {

/// A table to read.
struct RSpecifier {
  /// A script file (`scp`) rather than an archive (`ark`).
  bool isScript = false;
  /// `o`: each key is asked for once at most.
  bool once = false;
  /// `s`: the table's keys are sorted.
  bool sorted = false;
  /// `cs`: keys are asked for in sorted order.
  bool calledSorted = false;
  /// `p`: what cannot be read is passed over.
  bool permissive = false;
  /// The archive or script: a path, `-`, `path:offset` or `command |`.
  std::string rxfilename;

  /// Fails on anything that is no rspecifier; the error names `text`.
  static llvm::Expected<RSpecifier> parse(llvm::StringRef text);
};

/// A table to write.
struct WSpecifier {
  bool writesArchive = false;
  bool writesScript = false;
  /// `t` makes it false.
  bool binary = true;
  /// `p`: a record that a script to write by does not name is passed over.
  bool permissive = false;
  /// Empty if no archive is written.
  std::string archive;
  /// Empty if no script is written.
  std::string script;

  /// Fails on anything that is no wspecifier; the error names `text`.
  static llvm::Expected<WSpecifier> parse(llvm::StringRef text);
};

/// Fails if a table that is written would replace the archive or the script
/// that `rspecifier` names while it is read. Texts that are no specifiers name
/// no files.
llvm::Error checkIsNotRead(llvm::StringRef wspecifier,
                           llvm::StringRef rspecifier);

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_TABLES_TABLESPECIFIER_H
