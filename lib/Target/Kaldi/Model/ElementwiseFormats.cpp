//===- ElementwiseFormats.cpp - Tokens of element-wise components ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ComponentFormat.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace mlir::nnet3 {

using K = TokenKind;
using Token = TokenField;

/// The dim is that of the one vector there is.
template <const char *name>
static std::string completeDim(ComponentAttributes &attributes) {
  attributes.setInt("dim", attributes.getShape(name)[0]);
  return {};
}
static constexpr char scalesName[] = "scales", biasName[] = "bias";

/// The block dim is that of the offsets, and so is the dim if it is not given.
static std::string completeOffsets(ComponentAttributes &attributes) {
  int64_t size = attributes.getShape("offsets")[0];
  attributes.setInt("block_dim", size);
  if (!attributes.list.get("dim"))
    attributes.setInt("dim", size);
  dropFullBlockDim(attributes);
  return {};
}

/// A NoOp; old files have it as a nonlinearity with statistics.
static ComponentFormat makeNoOp() {
  return makeFormat<NoOpOp>({
      Token("<Dim>", K::Int, "dim"),
      Token("<BackpropScale>", K::Float, "backprop_scale").optional(1),
      Token("<ValueAvg>", K::Vector, "").legacy(),
      Token("<DerivAvg>", K::Vector, "").legacy().nested(),
      Token("<Count>", K::Double, "").legacy().nested(),
      Token("<OderivRms>", K::Vector, "").legacy(),
      Token("<OderivCount>", K::Double, "").legacy().nested(),
      Token("<NumDimsSelfRepaired>", K::Double, "").legacy(),
      Token("<NumDimsProcessed>", K::Double, "").legacy(),
  });
}

static ComponentFormat makeNaturalGradientPerElementScale() {
  return makeFormat<NaturalGradientPerElementScaleOp>(
      updatable({
          Token("<Params>", K::Vector, "scales"),
          Token("<IsGradient>", K::Bool, "is_gradient"),
          Token("<Rank>", K::Int, "rank"),
          Token("<UpdatePeriod>", K::Int, "update_period"),
          Token("<NumSamplesHistory>", K::Float, "num_samples_history"),
          Token("<Alpha>", K::Float, "alpha"),
          Token("<MaxChangePerMinibatch>", K::Float, "").legacy(),
      }),
      completeDim<scalesName>);
}

static ComponentFormat makePerElementOffset() {
  return makeFormat<PerElementOffsetOp>(
      updatable({
          Token("<Offsets>", K::Vector, "offsets"),
          Token("<IsGradient>", K::Bool, "is_gradient").legacy(),
          Token("<Dim>", K::Int, "dim").orUnset(),
          Token("<UseNaturalGradient>", K::Bool, "use_natural_gradient")
              .optional(1)
              .nested(),
      }),
      completeOffsets);
}

static ComponentFormat makeScaleAndOffset() {
  return makeFormat<ScaleAndOffsetOp>(
      updatable({
          Token("<Dim>", K::Int, "dim"),
          Token("<Scales>", K::Vector, "scales"),
          Token("<Offsets>", K::Vector, "offsets"),
          Token("<UseNaturalGradient>", K::Bool, "use_natural_gradient"),
          Token("<Rank>", K::Int, "rank"),
      }),
      completeOffsets);
}

ArrayRef<ComponentFormat> getElementwiseFormats() {
  Token inputDim("<InputDim>", K::Int, "input_dim");
  Token outputDim("<OutputDim>", K::Int, "output_dim");
  Token isGradient = Token("<IsGradient>", K::Bool, "is_gradient").legacy();

  static const ComponentFormat formats[] = {
      makeNoOp(),
      makeFormat<ElementwiseProductOp>({inputDim, outputDim}),
      makeFormat<PnormOp>({inputDim, outputDim}),
      makeFormat<SumBlockOp>(
          {inputDim, outputDim, Token("<Scale>", K::Float, "scale")}),
      makeFormat<SumGroupOp>({Token("<Sizes>", K::IntVector, "sizes")}, nullptr,
                             /*anyClosingToken=*/true),
      makeFormat<PermuteOp>({Token("<ColumnMap>", K::ColumnMap, "column_map")}),
      makeFormat<FixedScaleOp>({Token("<Scales>", K::Vector, "scales")},
                               completeDim<scalesName>),
      makeFormat<FixedBiasOp>({Token("<Bias>", K::Vector, "bias")},
                              completeDim<biasName>),
      makeFormat<PerElementScaleOp>(
          updatable({Token("<Params>", K::Vector, "scales"), isGradient}),
          completeDim<scalesName>),
      makeNaturalGradientPerElementScale(),
      makePerElementOffset(),
      makeScaleAndOffset(),
  };
  return formats;
}

} // namespace mlir::nnet3
