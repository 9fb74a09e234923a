//===- ImageFormats.cpp - Tokens of components of images ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ComponentFormat.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace mlir::nnet3 {

using K = TokenKind;
using Token = TokenField;

static constexpr StringLiteral vectorizationName = "input_vectorization";
static constexpr StringLiteral orderName = "input_vectorization_order";

/// Files have a number for the order: 0 is yzx, 1 is zyx.
static int64_t getVectorization(Operation *op, StringRef) {
  return op->getAttrOfType<StringAttr>(orderName) == "zyx";
}

static std::string completeConvolution(ComponentAttributes &attributes) {
  int64_t vectorization = attributes.getInt(vectorizationName);
  if (vectorization != 0 && vectorization != 1)
    return ("expects an <InputVectorization> of 0 or 1, but got " +
            Twine(vectorization))
        .str();
  attributes.list.erase(vectorizationName);
  attributes.list.set(orderName, attributes.builder.getStringAttr(
                                     vectorization == 1 ? "zyx" : "yzx"));
  attributes.setInt("num_filters", attributes.getShape("filter_params")[0]);
  return {};
}

ArrayRef<ComponentFormat> getImageFormats() {
  std::vector<Token> image = {Token("<InputXDim>", K::Int, "input_x_dim"),
                              Token("<InputYDim>", K::Int, "input_y_dim"),
                              Token("<InputZDim>", K::Int, "input_z_dim")};
  std::vector<Token> convolution = image, maxpooling = image;
  llvm::append_values(convolution, Token("<FiltXDim>", K::Int, "filt_x_dim"),
                      Token("<FiltYDim>", K::Int, "filt_y_dim"),
                      Token("<FiltXStep>", K::Int, "filt_x_step"),
                      Token("<FiltYStep>", K::Int, "filt_y_step"),
                      Token("<InputVectorization>", K::Int, vectorizationName)
                          .otherwise(getVectorization),
                      Token("<FilterParams>", K::Matrix, "filter_params"),
                      Token("<BiasParams>", K::Vector, "bias_params"),
                      // Again; this one counts (spec: quirk Q10).
                      Token("<IsGradient>", K::Bool, "is_gradient").orUnset());
  llvm::append_values(maxpooling, Token("<PoolXSize>", K::Int, "pool_x_size"),
                      Token("<PoolYSize>", K::Int, "pool_y_size"),
                      Token("<PoolZSize>", K::Int, "pool_z_size"),
                      Token("<PoolXStep>", K::Int, "pool_x_step"),
                      Token("<PoolYStep>", K::Int, "pool_y_step"),
                      Token("<PoolZStep>", K::Int, "pool_z_step"));

  static const ComponentFormat formats[] = {
      makeFormat<ConvolutionOp>(updatable(convolution), completeConvolution),
      makeFormat<MaxpoolingOp>(maxpooling),
  };
  return formats;
}

} // namespace mlir::nnet3
