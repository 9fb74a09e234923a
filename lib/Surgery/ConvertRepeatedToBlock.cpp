//===- ConvertRepeatedToBlock.cpp - Give each block its own weights -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkEdits.h"
#include "Parameters.h"
#include "nnet3/Surgery/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3CONVERTREPEATEDTOBLOCK
#include "nnet3/Surgery/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

/// Stacks `count` copies of `matrix` vertically.
static DoubleMatrix repeat(const DoubleMatrix &matrix, int64_t count) {
  DoubleMatrix repeated(matrix.rows * count, matrix.cols);
  auto next = repeated.data.begin();
  for (int64_t i = 0; i < count; ++i)
    next = llvm::copy(matrix.data, next);
  return repeated;
}

template <typename Repeated> static LogicalResult convert(Repeated component) {
  FailureOr<DoubleMatrix> linear = getParameters(component, "linear_params");
  FailureOr<DoubleMatrix> bias = getParameters(component, "bias_params");
  if (failed(linear) || failed(bias))
    return failure();
  MLIRContext *context = component.getContext();
  StringRef name = component.getSymName();
  const int64_t count = component.getNumRepeats();
  auto attributes = getTrainingAttributes(component);
  auto add = [&](StringRef attribute, Attribute value) {
    attributes.emplace_back(StringAttr::get(context, attribute), value);
  };
  add("input_dim", component.getInputDimAttr());
  add("output_dim", component.getOutputDimAttr());
  add("num_blocks", component.getNumRepeatsAttr());
  add("linear_params",
      makeParameters(context, name, "linear_params", repeat(*linear, count)));
  add("bias_params",
      makeVector(context, name, "bias_params", repeat(*bias, count)));
  OpBuilder builder(component);
  createComponent<BlockAffineOp>(builder, component.getLoc(), name, attributes);
  component.erase();
  return success();
}

namespace {
struct ConvertRepeatedToBlock
    : public mlir::nnet3::impl::Nnet3ConvertRepeatedToBlockBase<
          ConvertRepeatedToBlock> {
  using Base::Base;
  void runOnOperation() override {
    for (auto component : findComponents(getOperation(), "*")) {
      LogicalResult result = success();
      if (auto op = dyn_cast<RepeatedAffineOp>(*component))
        result = convert(op);
      else if (auto op = dyn_cast<NaturalGradientRepeatedAffineOp>(*component))
        result = convert(op);
      if (failed(result))
        return signalPassFailure();
    }
  }
};
} // namespace
