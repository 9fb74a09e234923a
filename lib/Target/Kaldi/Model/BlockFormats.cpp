//===- BlockFormats.cpp - Tokens of affine maps of blocks -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ComponentFormat.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace mlir::nnet3 {

using K = TokenKind;
using Token = TokenField;

static constexpr char blocksName[] = "num_blocks",
                      repeatsName[] = "num_repeats";

/// Files have the parameters' shapes, which are of blocks, and their number.
template <const char *count>
static std::string completeBlocks(ComponentAttributes &attributes) {
  ArrayRef<int64_t> shape = attributes.getShape("linear_params");
  int64_t blocks = attributes.getInt(count);
  bool isRepeated = count == repeatsName;
  attributes.setInt("output_dim", shape[0] * (isRepeated ? blocks : 1));
  attributes.setInt("input_dim", shape[1] * blocks);
  return {};
}

ArrayRef<ComponentFormat> getBlockFormats() {
  Token linearParams("<LinearParams>", K::Matrix, "linear_params");
  Token biasParams("<BiasParams>", K::Vector, "bias_params");
  Token isGradient = Token("<IsGradient>", K::Bool, "is_gradient").legacy();
  Token numBlocks("<NumBlocks>", K::Int, blocksName);
  Token numRepeats("<NumRepeats>", K::Int, repeatsName);

  static const ComponentFormat formats[] = {
      makeFormat<BlockAffineOp>(
          updatable({numBlocks, linearParams, biasParams, isGradient}),
          completeBlocks<blocksName>),
      makeFormat<RepeatedAffineOp>(
          updatable({numRepeats, linearParams, biasParams, isGradient}),
          completeBlocks<repeatsName>),
      makeFormat<NaturalGradientRepeatedAffineOp>(
          updatable({numRepeats, linearParams, biasParams, isGradient}),
          completeBlocks<repeatsName>),
  };
  return formats;
}

} // namespace mlir::nnet3
