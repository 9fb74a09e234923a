//===- GruComponents.cpp - Gated recurrent units --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Components.h"

#include <cmath>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::detail;
using P = ComponentProperties;

static constexpr P kProperties = P::Simple | P::Updatable |
                                 P::BackpropNeedsInput |
                                 P::BackpropNeedsOutput | P::BackpropAdds;

/// Draws `w_h`, and sets the statistics to zero.
template <typename OpTy>
static LogicalResult initializeGru(OpTy op, ArrayRef<int64_t> shape,
                                   double mean, double stddev,
                                   ParameterInitializer &initializer) {
  if (op.getWH())
    return success();
  initializer.setNormal(op, "w_h", shape, mean, stddev);
  int64_t dim = op.getCellDim();
  initializer.setNormal(op, "value_avg", {dim}, 0, 0);
  initializer.setNormal(op, "deriv_avg", {dim}, 0, 0);
  return success();
}

//===----------------------------------------------------------------------===//
// GruNonlinearityComponent
//===----------------------------------------------------------------------===//

static int64_t getActualRecurrentDim(GruNonlinearityOp op) {
  return op.getRecurrentDim().value_or(op.getCellDim());
}

int64_t GruNonlinearityOp::getComponentInputDim() {
  int64_t cell = getCellDim(), recurrent = getActualRecurrentDim(*this);
  return recurrent == cell ? 4 * cell : 3 * cell + 2 * recurrent;
}
int64_t GruNonlinearityOp::getComponentOutputDim() { return 2 * getCellDim(); }
P GruNonlinearityOp::getComponentProperties() { return kProperties; }
SmallVector<TensorSpec> GruNonlinearityOp::getTensors() {
  int64_t dim = getCellDim();
  return {{"w_h", {dim, getActualRecurrentDim(*this)}},
          {"value_avg", {dim}, false},
          {"deriv_avg", {dim}, false}};
}
LogicalResult GruNonlinearityOp::verifyConfiguration() {
  if (getActualRecurrentDim(*this) > int64_t(getCellDim()))
    return emitOpError("expects a recurrent_dim up to cell_dim ")
           << getCellDim() << ", but got " << getActualRecurrentDim(*this);
  return success();
}
LogicalResult GruNonlinearityOp::initializeParameters(ParameterInitializer &i) {
  int64_t dim = getCellDim();
  double stddev = getInitNumber(getInitAttr(), "param_stddev",
                                1.0 / std::sqrt(double(dim)));
  return initializeGru(*this, {dim, getActualRecurrentDim(*this)}, 0, stddev,
                       i);
}

//===----------------------------------------------------------------------===//
// OutputGruNonlinearityComponent
//===----------------------------------------------------------------------===//

int64_t OutputGruNonlinearityOp::getComponentInputDim() {
  return 3 * getCellDim();
}
int64_t OutputGruNonlinearityOp::getComponentOutputDim() {
  return 2 * getCellDim();
}
P OutputGruNonlinearityOp::getComponentProperties() { return kProperties; }
SmallVector<TensorSpec> OutputGruNonlinearityOp::getTensors() {
  int64_t dim = getCellDim();
  return {
      {"w_h", {dim}}, {"value_avg", {dim}, false}, {"deriv_avg", {dim}, false}};
}
LogicalResult
OutputGruNonlinearityOp::initializeParameters(ParameterInitializer &i) {
  DictionaryAttr init = getInitAttr();
  return initializeGru(*this, {int64_t(getCellDim())},
                       getInitNumber(init, "param_mean", 0),
                       getInitNumber(init, "param_stddev", 1), i);
}

#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/GruComponentOps.cpp.inc"
