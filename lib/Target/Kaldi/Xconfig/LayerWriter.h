//===- LayerWriter.h - The config lines of a layer --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TARGET_KALDI_XCONFIG_LAYERWRITER_H
#define LIB_TARGET_KALDI_XCONFIG_LAYERWRITER_H

#include "Statement.h"

namespace mlir::nnet3::xconfig {

/// The configs that contain a line; may be combined.
enum ConfigSet : unsigned {
  Init = 1,
  Reference = 2,
  Final = 4,
  /// The configs of nearly all lines.
  Usual = Reference | Final,
};

class LayerWriter;

/// A component line under construction; `from` or `define` writes it.
class Component {
public:
  Component(LayerWriter &writer, llvm::StringRef name, llvm::StringRef type,
            unsigned configs);

  /// Sets a value. Errors about it point to the layer's setting of the same
  /// name, or else to the layer.
  Component &set(llvm::StringRef key, const llvm::Twine &value);
  Component &set(llvm::StringRef key, int64_t value) {
    return set(key, llvm::Twine(value));
  }
  Component &setReal(llvm::StringRef key, double value) {
    return set(key, formatReal(value));
  }
  /// Sets the value of the layer's `setting`.
  Component &set(llvm::StringRef key, const Setting &setting) {
    line.add(key, setting);
    return *this;
  }
  /// Sets a value that is computed from `setting`.
  Component &set(llvm::StringRef key, int64_t value, const Setting &setting) {
    line.add(key, llvm::Twine(value), setting.loc);
    return *this;
  }
  Component &setReal(llvm::StringRef key, double value,
                     const Setting &setting) {
    line.add(key, formatReal(value), setting.loc);
    return *this;
  }
  /// Copies keys of the layer, except empty ones.
  Component &copy(llvm::ArrayRef<llvm::StringLiteral> keys);
  /// Adds the `key=value` pairs that are the text of the layer's `key`.
  Component &options(llvm::StringRef key);

  /// Writes the component and a component-node of the same name; returns that
  /// name.
  std::string from(const llvm::Twine &input);
  /// Writes only the component.
  void define();

private:
  LayerWriter &writer;
  std::string name;
  Statement line;
  unsigned configs;
};

/// Writes the lines of one layer.
class LayerWriter {
public:
  LayerWriter(Layer &layer, XconfigExpansion &expansion)
      : layer(layer), expansion(expansion) {}

  /// Returns the name `LAYER.suffix` of a node or component.
  std::string local(llvm::StringRef suffix) const {
    return (layer.getName() + "." + suffix).str();
  }

  /// Returns the configs of a layer with the key `include-in-init`.
  unsigned getConfigs() const {
    return layer.getBool("include-in-init") ? Init | Usual : Usual;
  }

  /// Begins the component `LAYER.suffix`, or `LAYER` if there is no suffix.
  Component component(llvm::StringRef suffix, llvm::StringRef type,
                      unsigned configs = Usual) {
    return named(suffix.empty() ? layer.getName().str() : local(suffix), type,
                 configs);
  }
  /// Begins the component `LAYER.suffix` of the type for `step`, a part of
  /// layer names such as "relu" and "batchnorm" in `relu-batchnorm-layer`. By
  /// default `step` is the suffix without its number.
  Component step(llvm::StringRef suffix, llvm::StringRef step = "",
                 unsigned configs = Usual);
  Component named(llvm::StringRef name, llvm::StringRef type,
                  unsigned configs = Usual) {
    return Component(*this, name, type, configs);
  }

  /// Adds a component whose matrix the layer computes, and which is written to
  /// the file named by `key`. Its columns are the inputs and the bias. Returns
  /// the component-node.
  std::string fixedMatrix(llvm::StringRef key, ::nnet3::kaldi::Matrix matrix,
                          unsigned configs);

  /// Records that the layer's `key` names a file with the matrix of an affine
  /// map from the layer's input to `outputDim` columns.
  void expectMatrix(llvm::StringRef key, int64_t outputDim) {
    expansion.files.push_back({layer.getText(key).str(), layer[key].loc,
                               layer.getInputDim(), outputDim});
  }

  /// Writes a component-node.
  void node(llvm::StringRef name, llvm::StringRef component,
            const llvm::Twine &input, unsigned configs = Usual);
  /// Writes the node `LAYER.suffix` of the component `LAYER.component`.
  std::string localNode(llvm::StringRef suffix, llvm::StringRef component,
                        const llvm::Twine &input) {
    node(local(suffix), local(component), input);
    return local(suffix);
  }
  /// Writes the dim-range-node `LAYER.suffix` of another node of the layer.
  std::string range(llvm::StringRef suffix, llvm::StringRef source,
                    int64_t offset, int64_t dim);
  /// Writes an output-node `delay` frames after its input.
  void output(llvm::StringRef name, const llvm::Twine &input,
              llvm::StringRef objective, int64_t delay,
              unsigned configs = Usual);

  /// For `readable` see Statement::addTo.
  void write(const Statement &line, unsigned configs,
             const Statement *readable = nullptr);

  Layer &layer;

private:
  XconfigExpansion &expansion;
};

//===----------------------------------------------------------------------===//
// Text of descriptors
//===----------------------------------------------------------------------===//

inline std::string appendOf(const llvm::Twine &a, const llvm::Twine &b) {
  return ("Append(" + a + ", " + b + ")").str();
}
inline std::string sumOf(const llvm::Twine &a, const llvm::Twine &b) {
  return ("Sum(" + a + ", " + b + ")").str();
}

} // namespace mlir::nnet3::xconfig

#endif // LIB_TARGET_KALDI_XCONFIG_LAYERWRITER_H
