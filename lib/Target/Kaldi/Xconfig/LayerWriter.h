//===- LayerWriter.h - The lines that a layer stands for --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TARGET_KALDI_XCONFIG_LAYERWRITER_H
#define LIB_TARGET_KALDI_XCONFIG_LAYERWRITER_H

#include "Statement.h"

namespace mlir::nnet3::xconfig {

/// The configs that a line belongs to; may be combined.
enum ConfigSet : unsigned {
  Init = 1,
  Reference = 2,
  Final = 4,
  /// Where nearly everything goes.
  Usual = Reference | Final,
};

class LayerWriter;

/// A component that is being described; `from` or `define` writes it.
class Component {
public:
  Component(LayerWriter &writer, llvm::StringRef name, llvm::StringRef type,
            unsigned configs);

  /// A value that comes from the layer's setting of the same name, if it has
  /// one, or else from the layer as a whole.
  Component &set(llvm::StringRef key, const llvm::Twine &value);
  Component &set(llvm::StringRef key, int64_t value) {
    return set(key, llvm::Twine(value));
  }
  Component &setReal(llvm::StringRef key, double value) {
    return set(key, formatReal(value));
  }
  /// From the value of the layer's `setting`.
  Component &set(llvm::StringRef key, const Setting &setting) {
    line.add(key, setting);
    return *this;
  }
  /// A value that is computed from `setting`.
  Component &set(llvm::StringRef key, int64_t value, const Setting &setting) {
    line.add(key, llvm::Twine(value), setting.loc);
    return *this;
  }
  Component &setReal(llvm::StringRef key, double value,
                     const Setting &setting) {
    line.add(key, formatReal(value), setting.loc);
    return *this;
  }
  /// Keys of the layer, as they are; not those without text.
  Component &copy(llvm::ArrayRef<llvm::StringLiteral> keys);
  /// The pairs of the layer's `key`, which is text for components.
  Component &options(llvm::StringRef key);

  /// Writes the component and its component-node of the same name, which it
  /// returns.
  std::string from(const llvm::Twine &input);
  /// Writes the component alone.
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

  /// The name of a node or component, `LAYER.suffix`.
  std::string local(llvm::StringRef suffix) const {
    return (layer.getName() + "." + suffix).str();
  }

  /// The configs that a layer with the key `include-in-init` goes to.
  unsigned getConfigs() const {
    return layer.getBool("include-in-init") ? Init | Usual : Usual;
  }

  /// The component `LAYER.suffix`, or `LAYER` without a suffix.
  Component component(llvm::StringRef suffix, llvm::StringRef type,
                      unsigned configs = Usual) {
    return named(suffix.empty() ? layer.getName().str() : local(suffix), type,
                 configs);
  }
  /// The component `LAYER.suffix` of the kind that names of layers call `step`:
  /// "relu" and "batchnorm" in `relu-batchnorm-layer`. By default the suffix,
  /// without its number, is the step.
  Component step(llvm::StringRef suffix, llvm::StringRef step = "",
                 unsigned configs = Usual);
  Component named(llvm::StringRef name, llvm::StringRef type,
                  unsigned configs = Usual) {
    return Component(*this, name, type, configs);
  }

  /// A component whose matrix the layer makes and writes to the file that its
  /// `key` names; columns are inputs and the bias. Returns its component-node.
  std::string fixedMatrix(llvm::StringRef key, ::nnet3::kaldi::Matrix matrix,
                          unsigned configs);

  /// Says that the layer's `key` names a file with the matrix of an affine map
  /// from the layer's input to `outputDim` columns.
  void expectMatrix(llvm::StringRef key, int64_t outputDim) {
    expansion.files.push_back({layer.getText(key).str(), layer[key].loc,
                               layer.getInputDim(), outputDim});
  }

  /// A component-node of a component.
  void node(llvm::StringRef name, llvm::StringRef component,
            const llvm::Twine &input, unsigned configs = Usual);
  /// The node `LAYER.suffix` of the component `LAYER.component`.
  std::string localNode(llvm::StringRef suffix, llvm::StringRef component,
                        const llvm::Twine &input) {
    node(local(suffix), local(component), input);
    return local(suffix);
  }
  /// The node `LAYER.suffix`, columns of another.
  std::string range(llvm::StringRef suffix, llvm::StringRef source,
                    int64_t offset, int64_t dim);
  /// An output node, `delay` frames later than its input.
  void output(llvm::StringRef name, const llvm::Twine &input,
              llvm::StringRef objective, int64_t delay,
              unsigned configs = Usual);

  /// `readable`: see Statement::addTo.
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
