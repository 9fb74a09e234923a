//===- LayerType.h - The types of layers and their keys ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TARGET_KALDI_XCONFIG_LAYERTYPE_H
#define LIB_TARGET_KALDI_XCONFIG_LAYERTYPE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LogicalResult.h"
#include <array>

namespace mlir::nnet3::xconfig {

class Layer;
class LayerWriter;

/// How the value of a key is written.
enum class ValueKind { Int, Float, Bool, Text };

/// The values that a key may be given. NaN is in none of the ranges.
enum class Range {
  Any,
  Positive,
  NonNegative,
  Nonzero,
  WithinOne,        ///< [-1, 1]
  Proportion,       ///< [0, 1]
  ProportionOrNone, ///< the same, or -1 for none
  Objective,        ///< linear or quadratic
};

/// One key of a layer.
struct LayerKey {
  llvm::StringLiteral name;
  ValueKind kind;
  /// As it would be written; where the range does not have it, it stands for
  /// what the layer derives.
  llvm::StringLiteral defaultValue;
  Range range = Range::Any;
  bool required = false;
};

constexpr LayerKey intKey(llvm::StringLiteral name,
                          llvm::StringLiteral defaultValue,
                          Range range = Range::Any) {
  return {name, ValueKind::Int, defaultValue, range};
}
constexpr LayerKey requiredKey(llvm::StringLiteral name,
                               Range range = Range::Positive) {
  return {name, ValueKind::Int, "", range, /*required=*/true};
}
constexpr LayerKey floatKey(llvm::StringLiteral name,
                            llvm::StringLiteral defaultValue,
                            Range range = Range::NonNegative) {
  return {name, ValueKind::Float, defaultValue, range};
}
constexpr LayerKey boolKey(llvm::StringLiteral name,
                           llvm::StringLiteral defaultValue) {
  return {name, ValueKind::Bool, defaultValue};
}
/// Text; the components that get it check it.
constexpr LayerKey textKey(llvm::StringLiteral name,
                           llvm::StringLiteral defaultValue = "") {
  return {name, ValueKind::Text, defaultValue};
}
constexpr LayerKey requiredTextKey(llvm::StringLiteral name) {
  return {name, ValueKind::Text, "", Range::Any, /*required=*/true};
}

/// Of what is not positive, the layer takes the dim of its input.
inline constexpr LayerKey kDim = intKey("dim", "-1");

/// Whether the network that an LDA transform is estimated from has the layer.
inline constexpr LayerKey kIncludeInInit = boolKey("include-in-init", "false");

/// The dropout of layers that are named after their steps. A layer without the
/// step `dropout` ignores the key, whatever its value.
inline constexpr LayerKey kDropoutStep[] = {
    floatKey("dropout-proportion", "0.5", Range::Proportion)};
inline constexpr LayerKey kNoDropoutStep[] = {
    floatKey("dropout-proportion", "0.5", Range::Any)};

using LayerKeys = llvm::ArrayRef<LayerKey>;

/// One type of layer. All but `input` have the key `input` too.
struct LayerType {
  llvm::StringLiteral name;
  /// Checks what concerns several keys, writes the layer's lines, and says what
  /// its outputs are.
  llvm::LogicalResult (*expand)(Layer &layer, LayerWriter &writer);
  /// Keys, in groups; empty groups at the end.
  std::array<LayerKeys, 4> keys;
};

/// The tables of the families; see LayerTypes.cpp.
llvm::ArrayRef<LayerType> getInputOutputLayers();
llvm::ArrayRef<LayerType> getFeedForwardLayers();
llvm::ArrayRef<LayerType> getFactorizedLayers();
llvm::ArrayRef<LayerType> getComponentLayers();
llvm::ArrayRef<LayerType> getFeatureLayers();
llvm::ArrayRef<LayerType> getConvolutionLayers();
llvm::ArrayRef<LayerType> getResidualLayers();
llvm::ArrayRef<LayerType> getAttentionLayers();
llvm::ArrayRef<LayerType> getStatisticsLayers();
llvm::ArrayRef<LayerType> getLstmLayers();
llvm::ArrayRef<LayerType> getFastLstmLayers();
llvm::ArrayRef<LayerType> getGruLayers();
llvm::ArrayRef<LayerType> getFastGruLayers();

/// The type of a name; null if there is none.
const LayerType *findLayerType(llvm::StringRef name);

/// The name of a type that is near to `name`; empty if there is none.
llvm::StringRef findSimilarLayerType(llvm::StringRef name);

} // namespace mlir::nnet3::xconfig

#endif // LIB_TARGET_KALDI_XCONFIG_LAYERTYPE_H
