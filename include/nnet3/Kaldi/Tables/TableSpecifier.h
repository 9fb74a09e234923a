//===- TableSpecifier.h - rspecifiers and wspecifiers -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kaldi's strings that name tables: `ark,s,cs:feats.ark`, `scp:feats.scp`,
// `ark,t:-`, `ark,scp:out.ark,out.scp` (spec: formats.md 7).
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
  /// `o`: each key is requested at most once.
  bool once = false;
  /// `s`: the table's keys are sorted.
  bool sorted = false;
  /// `cs`: keys are requested in sorted order.
  bool calledSorted = false;
  /// `p`: records that cannot be read are skipped.
  bool permissive = false;
  /// The archive or script: a path, `-`, `path:offset` or `command |`.
  std::string rxfilename;

  /// Returns an error that names `text` if it is not an rspecifier.
  static llvm::Expected<RSpecifier> parse(llvm::StringRef text);
};

/// A table to write.
struct WSpecifier {
  bool writesArchive = false;
  bool writesScript = false;
  /// False with `t`.
  bool binary = true;
  /// `p`: records that the script does not list are skipped.
  bool permissive = false;
  /// Empty if no archive is written.
  std::string archive;
  /// Empty if no script is written.
  std::string script;

  /// Returns an error that names `text` if it is not a wspecifier.
  static llvm::Expected<WSpecifier> parse(llvm::StringRef text);
};

/// Returns an error if writing the table `wspecifier` would overwrite the
/// archive or the script of `rspecifier` while it is read. Ignores texts that
/// are not specifiers.
llvm::Error checkIsNotRead(llvm::StringRef wspecifier,
                           llvm::StringRef rspecifier);

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_TABLES_TABLESPECIFIER_H
