//===- Recurrence.h - What recurrent layers share ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TARGET_KALDI_XCONFIG_LAYERS_RECURRENCE_H
#define LIB_TARGET_KALDI_XCONFIG_LAYERS_RECURRENCE_H

#include "../LayerWriter.h"

namespace mlir::nnet3::xconfig {

/// Keys of all recurrent layers (spec: formats.md 10.4).
inline constexpr LayerKey kRecurrenceKeys[] = {
    intKey("cell-dim", "-1"), intKey("delay", "-1", Range::Nonzero),
    floatKey("clipping-threshold", "30.0"),
    intKey("zeroing-interval", "20", Range::Positive),
    floatKey("zeroing-threshold", "15.0")};

/// Those of layers whose output is a projection, a part of which recurs.
inline constexpr LayerKey kProjectionKeys[] = {
    intKey("recurrent-projection-dim", "-1"),
    intKey("non-recurrent-projection-dim", "-1")};

/// Those of layers made of gates. Fast GRUs scale no single elements and ignore
/// ng-per-element-scale-options.
inline constexpr LayerKey kGateKeys[] = {
    textKey("ng-per-element-scale-options", " max-change=0.75"),
    textKey("ng-affine-options", " max-change=0.75 "),
    floatKey("self-repair-scale-nonlinearity", "1e-05", Range::Proportion)};

inline constexpr LayerKey kDecayTime = floatKey("decay-time", "-1.0");
inline constexpr LayerKey kL2Regularize = floatKey("l2-regularize", "0.0");
inline constexpr LayerKey kDropoutProportion =
    floatKey("dropout-proportion", "-1.0", Range::ProportionOrNone);

/// Those of GRUs with batch norm.
inline constexpr LayerKey kNormKeys[] = {kProjectionKeys[0], kProjectionKeys[1],
                                         kDropoutProportion,
                                         boolKey("dropout-per-frame", "true")};

/// Writes what recurrent layers are made of. Components and nodes are named
/// without the name of the layer.
class Recurrence {
public:
  /// Derives the dims; fails if they do not fit each other.
  static llvm::FailureOr<Recurrence> create(Layer &layer, LayerWriter &writer);

  /// The node `suffix` one delay ago, where it is there.
  std::string past(llvm::StringRef suffix) const {
    return pastOf(writer.local(suffix));
  }
  std::string pastOf(const llvm::Twine &descriptor) const;
  /// The layer's input beside that.
  std::string inputWithPast(llvm::StringRef suffix) const {
    return appendOf(layer.getInput(), past(suffix));
  }

  /// The component with the layer's l2-regularize, if that is not 0.
  Component regularized(Component component) const;

  /// An affine map, regularized.
  Component affine(llvm::StringRef suffix, int64_t in, int64_t out) const;
  /// A "sigmoid" or a "tanh".
  Component nonlinearity(llvm::StringRef suffix, llvm::StringRef step,
                         int64_t dim) const;
  /// A scale of each element, of cell-dim columns.
  Component scale(llvm::StringRef suffix) const;
  /// The product of the two halves of its input.
  Component product(llvm::StringRef suffix, int64_t dim) const;
  /// Limits what comes back through time.
  Component truncation(llvm::StringRef suffix, int64_t dim) const;
  /// The dropout of a gate.
  Component dropout(llvm::StringRef suffix, int64_t dim) const;
  Component batchNorm(llvm::StringRef suffix, int64_t dim) const;
  Component renorm(llvm::StringRef suffix, int64_t dim) const;

  /// A node of a component of the layer.
  std::string node(llvm::StringRef suffix, llvm::StringRef component,
                   const llvm::Twine &input) const {
    return writer.localNode(suffix, component, input);
  }
  /// A gate that sees the input and `s_t`: its affine map `map`, its sigmoid
  /// `name` and, with dropout, the component `dropout`, which reads the node
  /// `predrop`. Returns the node NAME_t.
  std::string gate(llvm::StringRef name, llvm::StringRef map, int64_t dim,
                   llvm::StringRef dropout, llvm::StringRef predrop) const;
  /// `dim` columns from `offset` on of another node of the layer.
  std::string range(llvm::StringRef suffix, llvm::StringRef source,
                    int64_t offset, int64_t dim) const {
    return writer.range(suffix, writer.local(source), offset, dim);
  }
  std::string local(llvm::StringRef suffix) const {
    return writer.local(suffix);
  }

  bool hasKey(llvm::StringRef key) const { return layer.findSetting(key); }
  bool hasDropout() const {
    return hasKey("dropout-proportion") &&
           layer.getFloat("dropout-proportion") >= 0;
  }

  int64_t getInputDim() const { return layer.getInputDim(); }
  int64_t getCellDim() const { return cellDim; }
  /// The columns that recur: the cell's, unless there is a projection.
  int64_t getRecurrentDim() const { return recurrentDim; }
  /// The columns of the projection.
  int64_t getProjectionDim() const { return projectionDim; }

  Layer &layer;
  LayerWriter &writer;

private:
  Recurrence(Layer &layer, LayerWriter &writer)
      : layer(layer), writer(writer) {}

  int64_t cellDim = 0;
  int64_t recurrentDim = 0;
  int64_t projectionDim = 0;
};

/// Expands a layer by `expand`; fails if its dims do not fit each other.
template <void expand(const Recurrence &)>
llvm::LogicalResult expandRecurrent(Layer &layer, LayerWriter &writer) {
  auto cell = Recurrence::create(layer, writer);
  if (failed(cell))
    return llvm::failure();
  expand(*cell);
  return llvm::success();
}

} // namespace mlir::nnet3::xconfig

#endif // LIB_TARGET_KALDI_XCONFIG_LAYERS_RECURRENCE_H
