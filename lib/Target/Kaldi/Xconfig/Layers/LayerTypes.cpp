//===- LayerTypes.cpp - The registry of layers ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../LayerType.h"
#include "nnet3/Target/Kaldi/Xconfig.h"

namespace mlir::nnet3::xconfig {

static std::array<llvm::ArrayRef<LayerType>, 13> getFamilies() {
  return {
      getInputOutputLayers(), getFeedForwardLayers(), getFactorizedLayers(),
      getComponentLayers(),   getFeatureLayers(),     getConvolutionLayers(),
      getResidualLayers(),    getAttentionLayers(),   getStatisticsLayers(),
      getLstmLayers(),        getFastLstmLayers(),    getGruLayers(),
      getFastGruLayers()};
}

const LayerType *findLayerType(llvm::StringRef name) {
  for (llvm::ArrayRef<LayerType> family : getFamilies())
    for (const LayerType &type : family)
      if (type.name == name)
        return &type;
  return nullptr;
}

llvm::StringRef findSimilarLayerType(llvm::StringRef name) {
  llvm::StringRef nearest;
  unsigned least = 4;
  for (llvm::ArrayRef<LayerType> family : getFamilies())
    for (const LayerType &type : family)
      if (unsigned distance = name.edit_distance(
              type.name, /*AllowReplacements=*/true, /*MaxEditDistance=*/3);
          distance < least) {
        least = distance;
        nearest = type.name;
      }
  return nearest;
}

} // namespace mlir::nnet3::xconfig

bool mlir::nnet3::isXconfigLayer(llvm::StringRef word) {
  return xconfig::findLayerType(word) != nullptr;
}
