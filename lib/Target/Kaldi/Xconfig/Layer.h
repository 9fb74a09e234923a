//===- Layer.h - One layer of an xconfig ------------------------*- C++ -*-===//
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

/// What other layers may refer to.
struct LayerOutput {
  /// Empty for that of the layer itself, otherwise as in `layer.name`.
  std::string name;
  /// The descriptor that it stands for.
  std::string text;
  int64_t dim = 0;
};

/// One line of an xconfig: a layer, with all its keys.
class Layer {
public:
  /// Reads `line`; names in its input are looked up in `scope`.
  static FailureOr<Layer> read(ConfigLine &line, LayerScope &scope);

  /// What stands for a node of an existing model.
  static Layer makeExisting(llvm::StringRef name, int64_t dim, Location loc);

  /// Null for a node of an existing model.
  const LayerType *getType() const { return type; }
  llvm::StringRef getName() const { return name; }
  Location getLoc() const { return loc; }

  /// The setting of a key; null if the type has no such key.
  const Setting *findSetting(llvm::StringRef key) const;
  /// The setting of a key that the type has.
  const Setting &operator[](llvm::StringRef key) const;
  int64_t getInt(llvm::StringRef key) const { return (*this)[key].asInt(); }
  double getFloat(llvm::StringRef key) const { return (*this)[key].number; }
  bool getBool(llvm::StringRef key) const { return (*this)[key].number != 0; }
  llvm::StringRef getText(llvm::StringRef key) const {
    return (*this)[key].text;
  }

  /// Sets what is derived from other keys.
  void setInt(llvm::StringRef key, int64_t value);
  void setFloat(llvm::StringRef key, double value);
  /// The value, once `value` is set if it is not positive.
  int64_t deriveInt(llvm::StringRef key, int64_t value);
  /// `dim`, or the dim of the input.
  int64_t deriveDim() { return deriveInt("dim", inputDim); }

  /// The input, as a descriptor of nodes, and its dim.
  llvm::StringRef getInput() const { return inputText; }
  int64_t getInputDim() const { return inputDim; }
  Location getInputLoc() const { return inputLoc; }
  /// The input, as a descriptor of layers.
  const Descriptor &getInputDescriptor() const { return input; }

  /// Says what the layer, or `layer.name`, stands for.
  void setOutput(llvm::StringRef text, int64_t dim) {
    addOutput("", text, dim);
  }
  void addOutput(llvm::StringRef name, llvm::StringRef text, int64_t dim) {
    outputs.push_back({name.str(), text.str(), dim});
  }
  llvm::ArrayRef<LayerOutput> getOutputs() const { return outputs; }

  /// An error at the value of `key`.
  InFlightDiagnostic emitError(llvm::StringRef key) const {
    return mlir::emitError((*this)[key].loc);
  }
  /// `expects KEY to be WHAT, but got VALUE`.
  LogicalResult expected(llvm::StringRef key, const llvm::Twine &what) const;

  /// The line with all its keys; the input's layers spelled out if
  /// `descriptors` is set.
  std::string toText(bool descriptors) const;

  /// Whether something refers to one of its outputs.
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
  /// The input as it was written.
  std::string inputSource;
  Location inputLoc;
  Descriptor input;
  std::string inputText;
  int64_t inputDim = 0;
  std::vector<LayerOutput> outputs;
};

} // namespace mlir::nnet3::xconfig

#endif // LIB_TARGET_KALDI_XCONFIG_LAYER_H
