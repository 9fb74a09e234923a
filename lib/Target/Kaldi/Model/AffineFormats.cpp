//===- AffineFormats.cpp - Tokens of matrix-product components ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ComponentFormat.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace mlir::nnet3 {

using K = TokenKind;
using Token = TokenField;

/// Rank of a preconditioner that the op does not give
/// (spec: components.md 6.1, 6.2).
static int64_t getDefaultRank(Operation *op, StringRef attribute) {
  auto dimOf = [&](StringRef name) {
    return op->getAttrOfType<IntegerAttr>(name).getInt();
  };
  if (attribute == "rank_out")
    return std::min<int64_t>(80, (dimOf("output_dim") + 1) / 2);
  int64_t cols = dimOf("input_dim");
  if (auto offsets = op->getAttrOfType<DenseI64ArrayAttr>("time_offsets"))
    cols *= offsets.size();
  return std::min<int64_t>(20, (cols + 1) / 2);
}

/// The dims are those of matrix `name`.
static std::string takeDims(ComponentAttributes &attributes, StringRef name) {
  ArrayRef<int64_t> shape = attributes.getShape(name);
  attributes.setInt("output_dim", shape[0]);
  attributes.setInt("input_dim", shape[1]);
  return {};
}

static std::string completeAffine(ComponentAttributes &attributes) {
  return takeDims(attributes, "linear_params");
}

static std::string completeLinear(ComponentAttributes &attributes) {
  return takeDims(attributes, "params");
}

/// The matrix has one block of columns per offset; an empty bias means none.
static std::string completeTdnn(ComponentAttributes &attributes) {
  (void)takeDims(attributes, "linear_params");
  auto offsets = cast<DenseI64ArrayAttr>(attributes.list.get("time_offsets"));
  int64_t cols = attributes.getInt("input_dim");
  if (offsets.empty() || cols % offsets.size() != 0)
    return ("the " + Twine(cols) +
            " columns of <LinearParams> do not divide "
            "into " +
            Twine(offsets.size()) + " time offsets")
        .str();
  attributes.setInt("input_dim", cols / offsets.size());
  if (!attributes.list.get("bias_params"))
    attributes.list.set("use_bias", attributes.builder.getBoolAttr(false));
  return {};
}

ArrayRef<ComponentFormat> getAffineFormats() {
  Token linearParams("<LinearParams>", K::Matrix, "linear_params");
  Token biasParams("<BiasParams>", K::Vector, "bias_params");
  Token isGradient = Token("<IsGradient>", K::Bool, "is_gradient").legacy();
  Token orthonormal("<OrthonormalConstraint>", K::Float,
                    "orthonormal_constraint");
  Token updatePeriod("<UpdatePeriod>", K::Int, "update_period");
  Token history("<NumSamplesHistory>", K::Float, "num_samples_history");
  Token alpha("<Alpha>", K::Float, "alpha");
  Token rankIn = Token("<RankIn>", K::Int, "rank_in").otherwise(getDefaultRank);
  Token rankOut =
      Token("<RankOut>", K::Int, "rank_out").otherwise(getDefaultRank);
  Token rankInOut = Token("<RankInOut>", K::IntPair, "rank_in", "rank_out")
                        .otherwise(getDefaultRank);

  static const ComponentFormat formats[] = {
      makeFormat<AffineOp>(updatable({linearParams, biasParams, isGradient,
                                      orthonormal.unlessEqual(0)}),
                           completeAffine),
      makeFormat<NaturalGradientAffineOp>(
          updatable({
              linearParams,
              biasParams,
              rankIn,
              rankOut,
              orthonormal.unlessEqual(0),
              updatePeriod,
              history,
              alpha,
              Token("<MaxChangePerSample>", K::Float, "").legacy(),
              isGradient,
              Token("<UpdateCount>", K::Double, "").legacy(),
              Token("<ActiveScalingCount>", K::Double, "").legacy().nested(),
              Token("<MaxChangeScaleStats>", K::Double, "").legacy().nested(),
          }),
          completeAffine, /*anyClosingToken=*/true),
      makeFormat<LinearOp>(
          updatable({
              Token("<Params>", K::Matrix, "params"),
              orthonormal.unlessEqual(0),
              Token("<UseNaturalGradient>", K::Bool, "use_natural_gradient"),
              rankInOut,
              alpha,
              history,
              updatePeriod,
          }),
          completeLinear),
      makeFormat<FixedAffineOp>({linearParams, biasParams}, completeAffine),
      makeFormat<TdnnOp>(
          updatable({
              Token("<TimeOffsets>", K::IntVector, "time_offsets"),
              linearParams,
              biasParams.emptyMeans(EmptyTensor::Unset),
              orthonormal,
              Token("<UseNaturalGradient>", K::Bool, "use_natural_gradient"),
              history,
              Token("<AlphaInOut>", K::FloatPair, "alpha_in", "alpha_out")
                  .orUnset(),
              Token("<Alpha>", K::Float, "alpha_in", "alpha_out")
                  .insteadOfPrevious(),
              rankInOut,
          }),
          completeTdnn),
  };
  return formats;
}

} // namespace mlir::nnet3
