//===- Setting.h - Value of a key of a layer --------------------*- C++ -*-===//
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
  /// Holds the default value; `layerLoc` is the location of the layer.
  Setting(const LayerKey &key, Location layerLoc);

  /// Sets the value from the text at `loc`; fails if it is not of the key's
  /// kind.
  llvm::LogicalResult give(llvm::StringRef value, Location loc);

  /// Returns the condition of the key's range that a given value violates;
  /// empty if there is none.
  std::string getViolation() const;

  int64_t asInt() const { return static_cast<int64_t>(number); }

  const LayerKey *key;
  /// In canonical spelling: `1.0`, `1e-05`, `true`.
  std::string text;
  /// Unused for text.
  double number = 0;
  /// The location of the value, or of the layer if the value is not given.
  Location loc;
  bool given = false;
  /// Whether the value equals the default, given or not.
  bool isDefault = true;
};

/// Returns the name of a kind in messages.
llvm::StringRef describe(ValueKind kind);

/// Returns the shortest text that reads back as the same number, with a point
/// or an exponent: `1.0`, `1e-05`.
std::string formatReal(double value);

} // namespace mlir::nnet3::xconfig

#endif // LIB_TARGET_KALDI_XCONFIG_SETTING_H
