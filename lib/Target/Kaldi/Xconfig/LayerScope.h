//===- LayerScope.h - The layers that a layer may refer to ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TARGET_KALDI_XCONFIG_LAYERSCOPE_H
#define LIB_TARGET_KALDI_XCONFIG_LAYERSCOPE_H

#include "Layer.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <deque>

namespace mlir::nnet3::xconfig {

/// The layers so far, those of an existing model before those of the xconfig,
/// and what descriptors of layers mean (spec: formats.md 10.2).
class LayerScope {
public:
  /// Adds the nodes of a model that layers may refer to.
  void addExisting(NetworkOp network);
  /// Adds a layer behind the others. Of two layers of the same name the later
  /// one counts.
  Layer &add(Layer layer);

  /// A layer of the xconfig with that name; null if there is none.
  const Layer *findOwn(llvm::StringRef name) const;
  const std::deque<Layer> &getLayers() const { return layers; }

  /// Makes errors about layers that come too late say so.
  void noteLater(llvm::StringRef name) { later.insert(name); }

  /// Parses a descriptor, whose leaves then have the names of outputs of
  /// layers: `lstm1`, `lstm1.c_t`.
  FailureOr<Descriptor> parse(llvm::StringRef text,
                              llvm::function_ref<LocationAttr(size_t)> locAt);

  /// The number of columns of such a descriptor.
  FailureOr<int64_t> getDim(const Descriptor &descriptor, Location loc) const;

  /// The same descriptor of nodes.
  FailureOr<std::string> toNodes(Descriptor descriptor, Location loc) const;

private:
  using Descriptor = Descriptor;

  FailureOr<Descriptor> parseLeaf(llvm::StringRef token, LocationAttr loc);
  FailureOr<Descriptor> refer(llvm::StringRef token, LocationAttr loc);
  FailureOr<Descriptor> referBack(int64_t distance, LocationAttr loc);
  FailureOr<Descriptor> referByName(llvm::StringRef name, LocationAttr loc);
  const LayerOutput *findOutput(llvm::StringRef name) const;
  FailureOr<int64_t> getDimOf(const Descriptor &descriptor) const;

  /// Addresses stay the same.
  std::deque<Layer> layers;
  llvm::StringMap<Layer *> byName;
  llvm::StringSet<> later;
};

} // namespace mlir::nnet3::xconfig

#endif // LIB_TARGET_KALDI_XCONFIG_LAYERSCOPE_H
