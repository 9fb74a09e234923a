//===- Layer.h - A layer of an xconfig --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TARGET_KALDI_XCONFIG_LAYER_H
#define LIB_TARGET_KALDI_XCONFIG_LAYER_H

#include "../Config/ConfigLine.h"
#include "Setting.h"
#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"
#include <string>
#include <vector>

namespace mlir::nnet3::xconfig {

class LayerScope;

/// An output of a layer, which other layers may refer to.
struct LayerOutput {
  /// Empty for the main output, otherwise the name after the dot in
  /// `layer.name`.
  std::string name;
  /// The descriptor of the output.
  std::string text;
  int64_t dim = 0;
};

/// A layer of an xconfig line with all its keys.
class Layer {
public:
  /// Reads `line`; looks up the names in its input in `scope`.
  static FailureOr<Layer> read(ConfigLine &line, LayerScope &scope);

  /// Makes a pseudo-layer for a node of an existing model.
  static Layer makeExisting(llvm::StringRef name, int64_t dim, Location loc);

  /// Returns null for a node of an existing model.
  const LayerType *getType() const { return type; }
  llvm::StringRef getName() const { return name; }
  Location getLoc() const { return loc; }

  /// Returns the setting of a key; null if the type does not have the key.
  const Setting *findSetting(llvm::StringRef key) const;
  /// Returns the setting of a key that the type has.
  const Setting &operator[](llvm::StringRef key) const;
  int64_t getInt(llvm::StringRef key) const { return (*this)[key].asInt(); }
  double getFloat(llvm::StringRef key) const { return (*this)[key].number; }
  bool getBool(llvm::StringRef key) const { return (*this)[key].number != 0; }
  llvm::StringRef getText(llvm::StringRef key) const {
    return (*this)[key].text;
  }

  /// Sets a value that is derived from other keys.
  void setInt(llvm::StringRef key, int64_t value);
  void setFloat(llvm::StringRef key, double value);
  /// Sets the key to `value` unless it is positive, and returns its value.
  int64_t deriveInt(llvm::StringRef key, int64_t value);
  /// Returns `dim`, which defaults to the dim of the input.
  int64_t deriveDim() { return deriveInt("dim", inputDim); }

  /// Returns the input as a descriptor of nodes, and its dim.
  llvm::StringRef getInput() const { return inputText; }
  int64_t getInputDim() const { return inputDim; }
  Location getInputLoc() const { return inputLoc; }
  /// Returns the input as a descriptor of layers.
  const Descriptor &getInputDescriptor() const { return input; }

  /// Sets the descriptor of the layer's main output, or of `layer.name`.
  void setOutput(llvm::StringRef text, int64_t dim) {
    addOutput("", text, dim);
  }
  void addOutput(llvm::StringRef name, llvm::StringRef text, int64_t dim) {
    outputs.push_back({name.str(), text.str(), dim});
  }
  llvm::ArrayRef<LayerOutput> getOutputs() const { return outputs; }

  /// Emits an error at the value of `key`.
  InFlightDiagnostic emitError(llvm::StringRef key) const {
    return mlir::emitError((*this)[key].loc);
  }
  /// Emits `expects KEY to be WHAT, but got VALUE`.
  LogicalResult expected(llvm::StringRef key, const llvm::Twine &what) const;

  /// Returns the line with all its keys; if `descriptors` is set, the layers in
  /// the input are replaced by their descriptors.
  std::string toText(bool descriptors) const;

  /// Whether another layer reads one of its outputs.
  bool used = false;

private:
  explicit Layer(Location loc) : loc(loc), inputLoc(loc) {}

  LogicalResult readName(ConfigLine &line);
  LogicalResult readKey(ConfigLine &line, const LayerKey &key);
  LogicalResult readInput(ConfigLine &line, LayerScope &scope);
  Setting &find(llvm::StringRef key);

  const LayerType *type = nullptr;
  std::string name;
  Location loc;
  std::vector<Setting> settings;
  /// The input as the user wrote it.
  std::string inputSource;
  Location inputLoc;
  Descriptor input;
  std::string inputText;
  int64_t inputDim = 0;
  std::vector<LayerOutput> outputs;
};

} // namespace mlir::nnet3::xconfig

#endif // LIB_TARGET_KALDI_XCONFIG_LAYER_H
