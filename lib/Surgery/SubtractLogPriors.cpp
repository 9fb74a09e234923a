//===- SubtractLogPriors.cpp - Priors as a component ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkEdits.h"
#include "Parameters.h"
#include "nnet3/Dialect/Nnet3/Analysis/UnusedName.h"
#include "nnet3/Surgery/Passes.h"
#include "nnet3/Target/Kaldi/TensorData.h"

#include <cmath>

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3SUBTRACTLOGPRIORS
#include "nnet3/Surgery/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

static LogicalResult subtractLogPriors(NetworkOp network) {
  auto output = dyn_cast_or_null<OutputNodeOp>(findNode(network, "output"));
  if (!output)
    return network.emitError("expects an output node 'output'");
  auto rows = cast<RowsType>(output.getInput().getType());
  ElementsAttr priors = network.getPriorsAttr();
  if (!priors || priors.empty())
    return network.emitError("has no priors");
  if (priors.getNumElements() != rows.getDim())
    return network.emitError("expects ")
           << rows.getDim() << " priors, one for each output, but got "
           << priors.getNumElements();
  std::vector<float> storage;
  std::optional<ArrayRef<float>> values = getTensorData(priors, storage);
  if (!values)
    return network.emitError("the priors have no values");
  DoubleMatrix bias(priors.getNumElements(), 1);
  llvm::transform(*values, bias.data.begin(),
                  [](float prior) { return -std::log(prior); });
  const std::string name = getUnusedName(network, "log-priors");
  MLIRContext *context = network.getContext();
  OpBuilder builder(context);
  setInsertionPointAfterComponents(builder, network);
  createComponent<FixedBiasOp>(
      builder, output.getLoc(), name,
      {builder.getNamedAttr("dim", builder.getI64IntegerAttr(rows.getDim())),
       builder.getNamedAttr("bias", makeVector(context, name, "bias", bias))});
  builder.setInsertionPoint(output);
  auto node = ComponentNodeOp::create(
      builder, output.getLoc(), rows, builder.getStringAttr(name),
      FlatSymbolRefAttr::get(context, name), output.getInput());
  output.getInputMutable().assign(node.getResult());
  network.removePriorsAttr();
  return success();
}

namespace {
struct SubtractLogPriors
    : public mlir::nnet3::impl::Nnet3SubtractLogPriorsBase<SubtractLogPriors> {
  using Base::Base;
  void runOnOperation() override {
    if (failed(subtractLogPriors(getOperation())))
      signalPassFailure();
  }
};
} // namespace
