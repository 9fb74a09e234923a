//===- Recurrence.h - Common parts of recurrent layers ----------*- C++ -*-===//
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

/// Keys of layers whose output is a projection with a recurrent part.
inline constexpr LayerKey kProjectionKeys[] = {
    intKey("recurrent-projection-dim", "-1"),
    intKey("non-recurrent-projection-dim", "-1")};

/// Keys of layers composed of gates. Fast GRUs have no per-element scales and
/// ignore ng-per-element-scale-options.
inline constexpr LayerKey kGateKeys[] = {
    textKey("ng-per-element-scale-options", " max-change=0.75"),
    textKey("ng-affine-options", " max-change=0.75 "),
    floatKey("self-repair-scale-nonlinearity", "1e-05", Range::Proportion)};

inline constexpr LayerKey kDecayTime = floatKey("decay-time", "-1.0");
inline constexpr LayerKey kL2Regularize = floatKey("l2-regularize", "0.0");
inline constexpr LayerKey kDropoutProportion =
    floatKey("dropout-proportion", "-1.0", Range::ProportionOrNone);

/// Keys of GRUs with batch norm.
inline constexpr LayerKey kNormKeys[] = {kProjectionKeys[0], kProjectionKeys[1],
                                         kDropoutProportion,
                                         boolKey("dropout-per-frame", "true")};

/// Writes the parts of recurrent layers. Names of components and nodes are
/// given without the name of the layer.
class Recurrence {
public:
  /// Derives the dims; fails if they are inconsistent.
  static llvm::FailureOr<Recurrence> create(Layer &layer, LayerWriter &writer);

  /// Returns the descriptor of node `suffix` one delay earlier, if defined.
  std::string past(llvm::StringRef suffix) const {
    return pastOf(writer.local(suffix));
  }
  std::string pastOf(const llvm::Twine &descriptor) const;
  /// Returns the layer's input, appended by past(`suffix`).
  std::string inputWithPast(llvm::StringRef suffix) const {
    return appendOf(layer.getInput(), past(suffix));
  }

  /// Sets the layer's l2-regularize on the component, unless it is 0.
  Component regularized(Component component) const;

  /// Begins an affine map with the layer's l2-regularize.
  Component affine(llvm::StringRef suffix, int64_t in, int64_t out) const;
  /// Begins a nonlinearity; `step` is "sigmoid" or "tanh".
  Component nonlinearity(llvm::StringRef suffix, llvm::StringRef step,
                         int64_t dim) const;
  /// Begins a per-element scale of cell-dim columns.
  Component scale(llvm::StringRef suffix) const;
  /// Begins an elementwise product of the two halves of the input.
  Component product(llvm::StringRef suffix, int64_t dim) const;
  /// Begins a component that truncates the derivatives of the recurrence.
  Component truncation(llvm::StringRef suffix, int64_t dim) const;
  /// Begins the dropout of a gate.
  Component dropout(llvm::StringRef suffix, int64_t dim) const;
  Component batchNorm(llvm::StringRef suffix, int64_t dim) const;
  Component renorm(llvm::StringRef suffix, int64_t dim) const;

  /// Writes a node that applies a component of the layer.
  std::string node(llvm::StringRef suffix, llvm::StringRef component,
                   const llvm::Twine &input) const {
    return writer.localNode(suffix, component, input);
  }
  /// Writes a gate that reads the input and `s_t`, with affine map `map`,
  /// sigmoid `name` and, if there is dropout, component `dropout`, which reads
  /// the node `predrop`. Returns the node NAME_t.
  std::string gate(llvm::StringRef name, llvm::StringRef map, int64_t dim,
                   llvm::StringRef dropout, llvm::StringRef predrop) const;
  /// Writes a dim-range of `dim` columns from `offset` on of another node of
  /// the layer.
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
  /// Returns the number of recurrent columns: cell-dim, or a part of the
  /// projection.
  int64_t getRecurrentDim() const { return recurrentDim; }
  /// Returns the number of columns of the projection.
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

/// Expands a layer with `expand`; fails if its dims are inconsistent.
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
