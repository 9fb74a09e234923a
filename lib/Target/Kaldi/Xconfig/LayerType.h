//===- LayerType.h - Layer types and their keys -----------------*- C++ -*-===//
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

/// The format of a key's value.
enum class ValueKind { Int, Float, Bool, Text };

/// The range of a key. NaN is in none of the bounded ranges.
enum class Range {
  Any,
  Positive,
  NonNegative,
  Nonzero,
  WithinOne,        ///< [-1, 1]
  Proportion,       ///< [0, 1]
  ProportionOrNone, ///< [0, 1], or -1 for none
  Objective,        ///< linear or quadratic
};

/// A key of a layer.
struct LayerKey {
  llvm::StringLiteral name;
  ValueKind kind;
  /// The default as text. A value out of the range means that the layer derives
  /// the value.
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
/// Makes a text key; the components that receive the text check it.
constexpr LayerKey textKey(llvm::StringLiteral name,
                           llvm::StringLiteral defaultValue = "") {
  return {name, ValueKind::Text, defaultValue};
}
constexpr LayerKey requiredTextKey(llvm::StringLiteral name) {
  return {name, ValueKind::Text, "", Range::Any, /*required=*/true};
}

/// If not positive, `dim` is the dim of the input.
inline constexpr LayerKey kDim = intKey("dim", "-1");

/// Whether the layer is part of the network from which an LDA transform is
/// estimated.
inline constexpr LayerKey kIncludeInInit = boolKey("include-in-init", "false");

/// The dropout key of layers that are named after their steps. A layer without
/// a dropout step accepts and ignores any value.
inline constexpr LayerKey kDropoutStep[] = {
    floatKey("dropout-proportion", "0.5", Range::Proportion)};
inline constexpr LayerKey kNoDropoutStep[] = {
    floatKey("dropout-proportion", "0.5", Range::Any)};

using LayerKeys = llvm::ArrayRef<LayerKey>;

/// A type of layer. All types but `input` also have the key `input`.
struct LayerType {
  llvm::StringLiteral name;
  /// Checks combinations of keys, writes the layer's lines, and sets its
  /// outputs.
  llvm::LogicalResult (*expand)(Layer &layer, LayerWriter &writer);
  /// Groups of keys; unused groups at the end are empty.
  std::array<LayerKeys, 4> keys;
};

/// Layer types by family; see LayerTypes.cpp.
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

/// Returns the layer type of a name; null if there is none.
const LayerType *findLayerType(llvm::StringRef name);

/// Returns the name of a type that is similar to `name`; empty if there is
/// none.
llvm::StringRef findSimilarLayerType(llvm::StringRef name);

} // namespace mlir::nnet3::xconfig

#endif // LIB_TARGET_KALDI_XCONFIG_LAYERTYPE_H
