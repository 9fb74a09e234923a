//===- Statement.h - One line of an expanded config -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TARGET_KALDI_XCONFIG_STATEMENT_H
#define LIB_TARGET_KALDI_XCONFIG_STATEMENT_H

#include "Layer.h"
#include "nnet3/Target/Kaldi/Xconfig.h"

namespace mlir::nnet3::xconfig {

/// Builds a line of a config; each value knows the setting that it comes from.
class Statement {
public:
  /// `component`, `input-node` and so on; `loc` is that of the layer.
  Statement(llvm::StringRef word, Location loc);

  /// Adds ` key=value`, which comes from the layer as a whole or from `loc`.
  Statement &add(llvm::StringRef key, const llvm::Twine &value);
  Statement &add(llvm::StringRef key, const llvm::Twine &value, Location loc);
  /// Adds the value of a setting. A default counts only where the line has no
  /// such key yet: pairs that the user wrote may have it.
  Statement &add(llvm::StringRef key, const Setting &setting);
  /// Adds the `key=value` pairs that a setting is the text of.
  Statement &addPairs(const Setting &setting);

  /// Adds the line to `config`; there, `readable` can be read before a matrix
  /// is written to its file.
  void addTo(ExpandedConfig &config, const Statement *readable) const {
    config.addLine(text, pieces, readable ? readable->text : "");
  }

private:
  void begin(Location loc, bool copied = false);
  bool hasKey(llvm::StringRef key) const;

  Location layerLoc;
  std::string text;
  llvm::SmallVector<ExpandedConfig::Piece, 8> pieces;
};

} // namespace mlir::nnet3::xconfig

#endif // LIB_TARGET_KALDI_XCONFIG_STATEMENT_H
