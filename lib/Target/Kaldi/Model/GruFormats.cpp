//===- GruFormats.cpp - Tokens of gated recurrent units -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ComponentFormat.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace mlir::nnet3 {

using K = TokenKind;
using Token = TokenField;

/// `cell_dim` of the op, for a recurrent dim that the op lacks.
static int64_t getCellDim(Operation *op, StringRef) {
  return op->getAttrOfType<IntegerAttr>("cell_dim").getInt();
}

static std::string dropFullRecurrentDim(ComponentAttributes &attributes) {
  if (attributes.getInt("recurrent_dim") == attributes.getInt("cell_dim"))
    attributes.list.erase("recurrent_dim");
  return {};
}

/// What follows the weights, and `rest` behind it.
static std::vector<Token> withStatistics(std::vector<Token> weights,
                                         std::vector<Token> rest) {
  std::vector<Token> fields = std::move(weights);
  Token valueAvg("<ValueAvg>", K::Vector, "value_avg");
  Token derivAvg("<DerivAvg>", K::Vector, "deriv_avg");
  llvm::append_values(
      fields, valueAvg.emptyMeans(EmptyTensor::Zeros),
      derivAvg.emptyMeans(EmptyTensor::Zeros),
      Token("<SelfRepairTotal>", K::Double, "self_repair_total"),
      Token("<Count>", K::Double, "count"),
      Token("<SelfRepairThreshold>", K::Float, "self_repair_threshold"),
      Token("<SelfRepairScale>", K::Float, "self_repair_scale"),
      Token("<Alpha>", K::Float, "alpha"));
  llvm::append_range(fields, rest);
  return updatable(fields);
}

ArrayRef<ComponentFormat> getGruFormats() {
  Token cellDim("<CellDim>", K::Int, "cell_dim");
  Token updatePeriod("<UpdatePeriod>", K::Int, "update_period");

  static const ComponentFormat formats[] = {
      makeFormat<GruNonlinearityOp>(
          withStatistics(
              {cellDim,
               Token("<RecurrentDim>", K::Int, "recurrent_dim")
                   .otherwise(getCellDim),
               Token("<w_h>", K::Matrix, "w_h")},
              {Token("<RankInOut>", K::IntPair, "rank_in", "rank_out"),
               updatePeriod}),
          dropFullRecurrentDim),
      makeFormat<OutputGruNonlinearityOp>(
          withStatistics({cellDim, Token("<w_h>", K::Vector, "w_h")},
                         {Token("<Rank>", K::Int, "rank"), updatePeriod})),
  };
  return formats;
}

} // namespace mlir::nnet3
