//===- Nnet3ToLinalg.cpp - Computations as functions of tensors -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CommandTensors.h"

#include "nnet3/Conversion/Nnet3ToLinalg/Passes.h"
#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"
#include "nnet3/Dialect/Nnet3/IR/StreamOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_CONVERTNNET3TOLINALG
#include "nnet3/Conversion/Nnet3ToLinalg/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

static RankedTensorType getTensorType(Value matrix) {
  auto type = cast<MemRefType>(matrix.getType());
  return RankedTensorType::get(type.getShape(), type.getElementType());
}

namespace {
struct ConvertToLinalg
    : public nnet3::impl::ConvertNnet3ToLinalgBase<ConvertToLinalg> {
  void runOnOperation() override;

private:
  LogicalResult convert(ComputationOp computation);
};
} // namespace

/// The arguments are the inputs and the results the outputs, in the order of
/// the commands.
LogicalResult ConvertToLinalg::convert(ComputationOp computation) {
  SmallVector<AcceptInputOp> inputs;
  SmallVector<ProvideOutputOp> outputs;
  for (Operation &op : computation.getBody().front()) {
    if (auto input = dyn_cast<AcceptInputOp>(op))
      inputs.push_back(input);
    else if (auto output = dyn_cast<ProvideOutputOp>(op))
      outputs.push_back(output);
  }
  OpBuilder builder(computation);
  SmallVector<Type> arguments, results;
  for (AcceptInputOp input : inputs)
    arguments.push_back(getTensorType(input.getResult()));
  for (ProvideOutputOp output : outputs)
    results.push_back(getTensorType(output.getMatrix()));
  auto function = func::FuncOp::create(
      builder, computation.getLoc(), computation.getSymName(),
      builder.getFunctionType(arguments, results));
  for (auto [i, input] : llvm::enumerate(inputs))
    function.setArgAttr(i, kNodeAttr, input.getNodeAttr());
  for (auto [i, output] : llvm::enumerate(outputs))
    function.setResultAttr(i, kNodeAttr, output.getNodeAttr());
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToStart(body);
  CommandTensors commands(builder, computation);
  SmallVector<Value> provided;
  size_t number = 0;
  for (Operation &op : computation.getBody().front()) {
    if (auto input = dyn_cast<AcceptInputOp>(op))
      commands.getMatrices().write(input.getResult(),
                                   body->getArgument(number++));
    else if (auto output = dyn_cast<ProvideOutputOp>(op))
      provided.push_back(commands.getMatrices().read(output.getMatrix()));
    else if (failed(commands.convert(op)))
      return failure();
  }
  func::ReturnOp::create(builder, computation.getLoc(), provided);
  computation.erase();
  return success();
}

void ConvertToLinalg::runOnOperation() {
  ModuleOp module = getOperation();
  for (auto computation :
       llvm::make_early_inc_range(module.getOps<ComputationOp>()))
    if (failed(convert(computation)))
      return signalPassFailure();
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (isa<NetworkOp, RequestOp, StreamOp>(op))
      op.erase();
}
