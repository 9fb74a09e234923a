//===- Statement.h - A line of an expanded config ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TARGET_KALDI_XCONFIG_STATEMENT_H
#define LIB_TARGET_KALDI_XCONFIG_STATEMENT_H

#include "Layer.h"
#include "nnet3/Target/Kaldi/Xconfig.h"

namespace mlir::nnet3::xconfig {

/// Builds a line of a config and records the source location of each value.
class Statement {
public:
  /// `word` is `component`, `input-node` and so on; `loc` is the location of
  /// the layer.
  Statement(llvm::StringRef word, Location loc);

  /// Adds ` key=value`, located at the layer or at `loc`.
  Statement &add(llvm::StringRef key, const llvm::Twine &value);
  Statement &add(llvm::StringRef key, const llvm::Twine &value, Location loc);
  /// Adds the value of a setting. A default is skipped if the line already has
  /// the key, from pairs that the user wrote.
  Statement &add(llvm::StringRef key, const Setting &setting);
  /// Adds the `key=value` pairs in the text of a setting.
  Statement &addPairs(const Setting &setting);

  /// Adds the line to `config`. `readable` replaces it when the config is read
  /// before the matrix file is written.
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
