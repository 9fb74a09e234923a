//===- ConvolutionKeys.h - Common parts of convolution layers ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TARGET_KALDI_XCONFIG_LAYERS_CONVOLUTIONKEYS_H
#define LIB_TARGET_KALDI_XCONFIG_LAYERS_CONVOLUTIONKEYS_H

#include "../LayerWriter.h"

namespace mlir::nnet3::xconfig {

/// Keys that are passed on to the convolutions unchanged.
inline constexpr LayerKey kConvolutionKeys[] = {
    floatKey("max-change", "0.75"),
    textKey("param-stddev"),
    textKey("bias-stddev"),
    textKey("learning-rate-factor"),
    textKey("use-natural-gradient"),
    textKey("rank-in"),
    textKey("rank-out"),
    textKey("num-minibatches-history"),
    textKey("alpha-in"),
    textKey("alpha-out"),
    textKey("l2-regularize")};

/// The size of an image: `filters` channels at each of `height` heights.
struct ImageSize {
  int64_t height;
  int64_t filters;

  int64_t getDim() const { return height * filters; }
  friend bool operator==(ImageSize a, ImageSize b) {
    return a.height == b.height && a.filters == b.filters;
  }
};

/// The shape of a convolution.
struct ConvolutionShape {
  ImageSize in;
  ImageSize out;
  int64_t subsample = 1;
  std::string timeOffsets = "0";
  std::string heightOffsets = "0";
  /// Empty if all time offsets are required.
  std::string requiredTimeOffsets = "";
};

/// Begins a convolution with the options of the layer.
Component makeConvolution(LayerWriter &writer, llvm::StringRef suffix,
                          const ConvolutionShape &shape);

/// Begins a ReLU of an image. Self-repair acts on units whose average
/// derivative is below the value of key `threshold`.
Component makeImageRelu(LayerWriter &writer, llvm::StringRef suffix,
                        ImageSize size, llvm::StringRef threshold);

} // namespace mlir::nnet3::xconfig

#endif // LIB_TARGET_KALDI_XCONFIG_LAYERS_CONVOLUTIONKEYS_H
