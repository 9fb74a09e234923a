//===- NonlinearFormats.cpp - Tokens of nonlinearities --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ComponentFormat.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace mlir::nnet3 {

using K = TokenKind;
using Token = TokenField;

static std::string completeBlockDim(ComponentAttributes &attributes) {
  dropFullBlockDim(attributes);
  return {};
}

/// The table that Sigmoid, Tanh, RectifiedLinear, Softmax and LogSoftmax share.
template <typename OpT> static ComponentFormat makeNonlinear() {
  Token valueAvg("<ValueAvg>", K::Vector, "value_avg");
  Token derivAvg("<DerivAvg>", K::Vector, "deriv_avg");
  Token oderivRms("<OderivRms>", K::Vector, "oderiv_rms");
  return makeFormat<OpT>(
      {
          Token("<Dim>", K::Int, "dim"),
          Token("<BlockDim>", K::Int, "block_dim")
              .otherwise(getUnsetBlockDim)
              .ifSet(),
          valueAvg.emptyMeans(EmptyTensor::Unset),
          derivAvg.emptyMeans(EmptyTensor::Unset),
          Token("<Count>", K::Double, "count"),
          oderivRms.emptyMeans(EmptyTensor::Unset).orUnset(),
          Token("<OderivCount>", K::Double, "oderiv_count").nested(),
          Token("<NumDimsSelfRepaired>", K::Double, "num_dims_self_repaired")
              .optional(),
          Token("<NumDimsProcessed>", K::Double, "num_dims_processed")
              .optional(),
          Token("<SelfRepairLowerThreshold>", K::Float,
                "self_repair_lower_threshold")
              .ifSet(),
          Token("<SelfRepairUpperThreshold>", K::Float,
                "self_repair_upper_threshold")
              .ifSet(),
          Token("<SelfRepairScale>", K::Float, "self_repair_scale")
              .unlessEqual(0),
      },
      completeBlockDim);
}

static ComponentFormat makeNormalize() {
  return makeFormat<NormalizeOp>(
      {
          Token("<InputDim>", K::Int, "input_dim").orUnset(),
          Token("<Dim>", K::Int, "input_dim").insteadOfPrevious(),
          Token("<BlockDim>", K::Int, "block_dim")
              .otherwise(getUnsetBlockDim)
              .ifSet(),
          Token("<TargetRms>", K::Float, "target_rms").optional(1),
          Token("<AddLogStddev>", K::Bool, "add_log_stddev").optional(),
          Token("<ValueAvg>", K::Vector, "").legacy(),
          Token("<DerivAvg>", K::Vector, "").legacy().nested(),
          Token("<Count>", K::Double, "").legacy().nested(),
      },
      completeBlockDim);
}

static ComponentFormat makeBatchNorm() {
  Token mean("<StatsMean>", K::Vector, "stats_mean");
  Token variance("<StatsVar>", K::Vector, "stats_var");
  return makeFormat<BatchNormOp>(
      {
          Token("<Dim>", K::Int, "dim"),
          Token("<BlockDim>", K::Int, "block_dim").otherwise(getUnsetBlockDim),
          Token("<Epsilon>", K::Float, "epsilon"),
          Token("<TargetRms>", K::Float, "target_rms"),
          Token("<TestMode>", K::Bool, "test_mode"),
          Token("<Count>", K::Double, "count"),
          mean.emptyMeans(EmptyTensor::Zeros),
          variance.emptyMeans(EmptyTensor::Zeros),
      },
      completeBlockDim);
}

ArrayRef<ComponentFormat> getNonlinearFormats() {
  static const ComponentFormat formats[] = {
      makeNonlinear<RectifiedLinearOp>(),
      makeNonlinear<SigmoidOp>(),
      makeNonlinear<TanhOp>(),
      makeNonlinear<SoftmaxOp>(),
      makeNonlinear<LogSoftmaxOp>(),
      makeNormalize(),
      makeBatchNorm(),
  };
  return formats;
}

} // namespace mlir::nnet3
