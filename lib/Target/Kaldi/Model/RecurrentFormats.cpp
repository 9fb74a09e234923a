//===- RecurrentFormats.cpp - Tokens of recurrent components --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ComponentFormat.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace mlir::nnet3 {

using K = TokenKind;
using Token = TokenField;

static std::string completeCellDim(ComponentAttributes &attributes) {
  attributes.setInt("cell_dim", attributes.getShape("params")[1]);
  return {};
}

static ComponentFormat makeLstmNonlinearity() {
  Token valueAvg("<ValueAvg>", K::Matrix, "value_avg");
  Token derivAvg("<DerivAvg>", K::Matrix, "deriv_avg");
  Token prob("<SelfRepairProb>", K::Vector, "self_repair_prob");
  return makeFormat<LstmNonlinearityOp>(
      updatable({
          Token("<Params>", K::Matrix, "params"),
          valueAvg.emptyMeans(EmptyTensor::Zeros),
          derivAvg.emptyMeans(EmptyTensor::Zeros),
          Token("<SelfRepairConfig>", K::Vector, "self_repair_config"),
          prob.emptyMeans(EmptyTensor::Zeros),
          Token("<UseDropout>", K::Bool, "use_dropout").unlessEqual(0),
          Token("<Count>", K::Double, "count"),
      }),
      completeCellDim);
}

static ComponentFormat makeBackpropTruncation() {
  return makeFormat<BackpropTruncationOp>({
      Token("<Dim>", K::Int, "dim"),
      Token("<Scale>", K::Float, "scale").optional(1),
      Token("<ClippingThreshold>", K::Float, "clipping_threshold"),
      Token("<ZeroingThreshold>", K::Float, "zeroing_threshold"),
      Token("<ZeroingInterval>", K::Int, "zeroing_interval"),
      Token("<RecurrenceInterval>", K::Int, "recurrence_interval"),
      Token("<NumElementsClipped>", K::Double, "num_elements_clipped"),
      Token("<NumElementsZeroed>", K::Double, "num_elements_zeroed"),
      Token("<NumElementsProcessed>", K::Double, "num_elements_processed"),
      Token("<NumZeroingBoundaries>", K::Double, "num_zeroing_boundaries"),
  });
}

static ComponentFormat makeClipGradient() {
  return makeFormat<ClipGradientOp>({
      Token("<Dim>", K::Int, "dim"),
      Token("<ClippingThreshold>", K::Float, "clipping_threshold"),
      Token("<NormBasedClipping>", K::Bool, "norm_based_clipping"),
      Token("<SelfRepairClippedProportionThreshold>", K::Float,
            "self_repair_clipped_proportion_threshold")
          .optional(1),
      Token("<SelfRepairTarget>", K::Float, "self_repair_target")
          .optional(0)
          .nested(),
      Token("<SelfRepairScale>", K::Float, "self_repair_scale")
          .optional(0)
          .nested(),
      Token("<NumElementsClipped>", K::Int, "num_elements_clipped"),
      Token("<NumElementsProcessed>", K::Int, "num_elements_processed"),
      Token("<NumSelfRepaired>", K::Int, "num_self_repaired").optional(),
      Token("<NumBackpropped>", K::Int, "num_backpropped").optional().nested(),
  });
}

ArrayRef<ComponentFormat> getRecurrentFormats() {
  static const ComponentFormat formats[] = {
      makeLstmNonlinearity(),
      makeBackpropTruncation(),
      makeClipGradient(),
  };
  return formats;
}

} // namespace mlir::nnet3
