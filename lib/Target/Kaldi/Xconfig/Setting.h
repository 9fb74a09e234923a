//===- Setting.h - The value of a key of a layer ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TARGET_KALDI_XCONFIG_SETTING_H
#define LIB_TARGET_KALDI_XCONFIG_SETTING_H

#include "LayerType.h"

#include "mlir/IR/Location.h"
#include <string>

namespace mlir::nnet3::xconfig {

/// The value of a key of a layer.
struct Setting {
  /// The default value; `layerLoc` is where the layer is.
  Setting(const LayerKey &key, Location layerLoc);

  /// Takes what is written at `loc`; fails if it is not of the key's kind.
  llvm::LogicalResult give(llvm::StringRef value, Location loc);

  /// What the key's range asks for and a given value is not; empty if it is in
  /// the range.
  std::string getViolation() const;

  int64_t asInt() const { return static_cast<int64_t>(number); }

  const LayerKey *key;
  /// In canonical spelling: `1.0`, `1e-05`, `true`.
  std::string text;
  /// Of all but text.
  double number = 0;
  /// Where the value is written; that of the layer, if it is not.
  Location loc;
  bool given = false;
  /// Whether the value is the default, given or not.
  bool isDefault = true;
};

/// What a value of that kind is called in messages.
llvm::StringRef describe(ValueKind kind);

/// The shortest text that reads back as the same number, with a point or an
/// exponent: `1.0`, `1e-05`.
std::string formatReal(double value);

} // namespace mlir::nnet3::xconfig

#endif // LIB_TARGET_KALDI_XCONFIG_SETTING_H
