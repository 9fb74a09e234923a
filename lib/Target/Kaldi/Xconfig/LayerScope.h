//===- LayerScope.h - Layers that a layer may refer to ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TARGET_KALDI_XCONFIG_LAYERSCOPE_H
#define LIB_TARGET_KALDI_XCONFIG_LAYERSCOPE_H

#include "Layer.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <deque>

namespace mlir::nnet3::xconfig {

/// Resolves references to the layers so far: nodes of an existing model, then
/// layers of the xconfig. Translates descriptors of layers (spec: formats.md
/// 10.2).
class LayerScope {
public:
  /// Adds the nodes of a model that layers may refer to.
  void addExisting(NetworkOp network);
  /// Appends a layer. If two layers have the same name, the later one counts.
  Layer &add(Layer layer);

  /// Returns the layer of the xconfig with that name; null if there is none.
  const Layer *findOwn(llvm::StringRef name) const;
  const std::deque<Layer> &getLayers() const { return layers; }

  /// Records a layer that follows later, for errors about references to it.
  void noteLater(llvm::StringRef name) { later.insert(name); }

  /// Parses a descriptor. Its leaves are names of layer outputs: `lstm1`,
  /// `lstm1.c_t`.
  FailureOr<Descriptor> parse(llvm::StringRef text,
                              llvm::function_ref<LocationAttr(size_t)> locAt);

  /// Returns the number of columns of a descriptor of layers.
  FailureOr<int64_t> getDim(const Descriptor &descriptor, Location loc) const;

  /// Translates a descriptor of layers to a descriptor of nodes.
  FailureOr<std::string> toNodes(Descriptor descriptor, Location loc) const;

private:
  using Descriptor = Descriptor;

  FailureOr<Descriptor> parseLeaf(llvm::StringRef token, LocationAttr loc);
  FailureOr<Descriptor> refer(llvm::StringRef token, LocationAttr loc);
  FailureOr<Descriptor> referBack(int64_t distance, LocationAttr loc);
  FailureOr<Descriptor> referByName(llvm::StringRef name, LocationAttr loc);
  const LayerOutput *findOutput(llvm::StringRef name) const;
  FailureOr<int64_t> getDimOf(const Descriptor &descriptor) const;

  /// A deque keeps the addresses of layers.
  std::deque<Layer> layers;
  llvm::StringMap<Layer *> byName;
  llvm::StringSet<> later;
};

} // namespace mlir::nnet3::xconfig

#endif // LIB_TARGET_KALDI_XCONFIG_LAYERSCOPE_H
