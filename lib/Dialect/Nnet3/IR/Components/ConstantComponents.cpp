//===- ConstantComponents.cpp - Trained constants -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Components.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::detail;
using P = ComponentProperties;

template <typename OpTy>
static LogicalResult initializeConstant(OpTy op, ParameterInitializer &i) {
  if (op.getOutput())
    return success();
  DictionaryAttr init = op.getInitAttr();
  i.setNormal(op, "output", {int64_t(op.getOutputDim())},
              getInitNumber(init, "output_mean", 0),
              getInitNumber(init, "output_stddev", 0));
  return success();
}

//===----------------------------------------------------------------------===//
// ConstantComponent
//===----------------------------------------------------------------------===//

int64_t ConstantOp::getComponentInputDim() { return getOutputDim(); }
int64_t ConstantOp::getComponentOutputDim() { return getOutputDim(); }
P ConstantOp::getComponentProperties() {
  return getIsUpdatable() ? P::Updatable : P::None;
}
void ConstantOp::getInputIndexes(Index, SmallVectorImpl<Index> &) {}
bool ConstantOp::isComputable(Index, function_ref<bool(Index)>,
                              SmallVectorImpl<Index> *) {
  return true;
}
SmallVector<TensorSpec> ConstantOp::getTensors() {
  return {{"output", {int64_t(getOutputDim())}}};
}
LogicalResult ConstantOp::initializeParameters(ParameterInitializer &i) {
  return initializeConstant(*this, i);
}

//===----------------------------------------------------------------------===//
// ConstantFunctionComponent
//===----------------------------------------------------------------------===//

int64_t ConstantFunctionOp::getComponentInputDim() { return getInputDim(); }
int64_t ConstantFunctionOp::getComponentOutputDim() { return getOutputDim(); }
P ConstantFunctionOp::getComponentProperties() {
  P properties = P::Simple | P::BackpropAdds;
  if (getIsUpdatable())
    properties = properties | P::Updatable;
  if (getInputDim() == getOutputDim())
    properties = properties | P::PropagateInPlace;
  return properties;
}
SmallVector<TensorSpec> ConstantFunctionOp::getTensors() {
  return {{"output", {int64_t(getOutputDim())}}};
}
LogicalResult
ConstantFunctionOp::initializeParameters(ParameterInitializer &i) {
  return initializeConstant(*this, i);
}

#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/ConstantComponentOps.cpp.inc"
