//===- NetworkEdits.cpp - Helpers of network passes -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkEdits.h"
#include "../Arithmetic/Forward/KernelModels.h"

#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"
#include "nnet3/Dialect/Nnet3/IR/StreamOps.h"

#include "mlir/IR/AsmState.h"

using namespace mlir;
using namespace mlir::nnet3;

bool mlir::nnet3::isEditable(NetworkOp network) {
  return !hasStream(network) &&
         !network
              .walk([](ComponentOpInterface component) {
                return has(component.getComponentProperties(),
                           ComponentProperties::Random)
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted();
}

int64_t mlir::nnet3::getDim(Value rows) {
  return cast<RowsType>(rows.getType()).getDim();
}

Operation *mlir::nnet3::getComponent(ComponentNodeOp node) {
  return SymbolTable::lookupSymbolIn(node->getParentOp(), node.getComponent());
}

bool mlir::nnet3::isSupplied(NetworkOp network, StringRef name) {
  auto names = [&](RequestOp request) {
    return request.getNetwork() == network.getSymName() &&
           llvm::any_of(
               request.getBody().getOps<RequestInputOp>(),
               [&](RequestInputOp input) { return input.getName() == name; });
  };
  return llvm::any_of(network->getBlock()->getOps<RequestOp>(), names);
}

bool mlir::nnet3::isReadByNodes(Value rows) {
  return llvm::all_of(rows.getUsers(), [](Operation *user) {
    if (isa<AppendOp, OffsetOp, RoundOp, ReplaceIndexOp, IfDefinedOp>(user))
      return isReadByNodes(user->getResult(0));
    return isa<ComponentNodeOp, DimRangeNodeOp, OutputNodeOp>(user);
  });
}

bool mlir::nnet3::isPlainAffine(ComponentNodeOp node) {
  Operation *component = getComponent(node);
  auto affine = dyn_cast<AffineKernelInterface>(component);
  if (!affine || !affine.isAffine() || !affine.readsWholeRows() ||
      !component->hasAttr(affine.getWeightsName()) ||
      (affine.getBiasName() && !component->hasAttr(affine.getBiasName())))
    return false;
  return llvm::none_of(
      node->getParentOfType<NetworkOp>().getBody().getOps<ComponentNodeOp>(),
      [&](ComponentNodeOp other) {
        return other != node && getComponent(other) == component;
      });
}

FailureOr<AffineParameters>
mlir::nnet3::getAffineParameters(Operation *component) {
  auto affine = cast<AffineKernelInterface>(component);
  AffineParameters result;
  result.rows = affine.getWeightRows();
  result.columns = affine.getWeightColumns();
  auto weights = getTensorVector(component, affine.getWeightsName(),
                                 result.rows * result.columns);
  if (failed(weights))
    return component->emitError("has no values");
  result.weights = std::move(*weights);
  if (!affine.getBiasName())
    return result;
  auto bias = getTensorVector(component, affine.getBiasName(), result.rows);
  if (failed(bias))
    return component->emitError("has no values");
  result.bias = std::move(*bias);
  return result;
}

static void setTensor(Operation *component, StringAttr name,
                      ArrayRef<int64_t> shape, ArrayRef<float> values) {
  auto type =
      RankedTensorType::get(shape, Float32Type::get(component->getContext()));
  std::string key =
      (SymbolTable::getSymbolName(component).getValue() + "." + name.getValue())
          .str();
  component->setAttr(
      name, DenseResourceElementsAttr::get(
                type, key,
                HeapAsmResourceBlob::allocateAndCopyInferAlign<float>(values)));
}

void mlir::nnet3::setAffineParameters(Operation *component,
                                      const AffineParameters &parameters) {
  auto affine = cast<AffineKernelInterface>(component);
  setTensor(component, affine.getWeightsName(),
            {parameters.rows, parameters.columns}, parameters.weights);
  if (affine.getBiasName())
    setTensor(component, affine.getBiasName(), {parameters.rows},
              parameters.bias);
}

bool mlir::nnet3::dependsOn(Operation *op, Operation *other) {
  SmallVector<Operation *> stack = {op};
  DenseSet<Operation *> seen;
  while (!stack.empty()) {
    Operation *next = stack.pop_back_val();
    if (next == other)
      return true;
    if (seen.insert(next).second)
      for (Value operand : next->getOperands())
        stack.push_back(operand.getDefiningOp());
  }
  return false;
}

void mlir::nnet3::eraseUnusedDescriptors(Value value) {
  Operation *op = value.getDefiningOp();
  if (!value.use_empty() ||
      isa<InputNodeOp, ComponentNodeOp, DimRangeNodeOp>(op))
    return;
  auto operands = llvm::to_vector(op->getOperands());
  op->erase();
  // An operand may occur twice.
  for (Value operand :
       llvm::SmallSetVector<Value, 4>(operands.begin(), operands.end()))
    eraseUnusedDescriptors(operand);
}
