//===- OutputGruNonlinearityComponent.cpp - A GRU's with output gate ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 6.24. Input blocks z, hpart, c_prev;
// h = tanh(hpart + w_h (.) c_prev).
//
//===----------------------------------------------------------------------===//

#include "AffineMap.h"
#include "GruNonlinearity.h"
#include "core/ComponentAttributes.h"
#include "cpu/math/VectorGru.h"
#include "cpu/math/VectorMath.h"
#include "cpu/math/VectorUpdate.h"

#include <cstring>

namespace nnet3 {
namespace rt {
namespace {

class OutputGruNonlinearityComponent : public GruNonlinearity {
public:
  explicit OutputGruNonlinearityComponent(
      const OutputGruNonlinearityAttributes &attributes)
      : GruNonlinearity(attributes) {
    addVector("w_h", attributes.wH(), cellDim);
    addPreconditioner(checkedPreconditioner(attributes, attributes.rank(),
                                            attributes.updatePeriod(),
                                            attributes.alpha()));
  }

  std::unique_ptr<CommandPlan> plan(int32_t inRows, int32_t outRows,
                                    AttributeReader *precomputed,
                                    ErrorSink &errors) const override {
    Component::plan(inRows, outRows, precomputed, errors);
    auto plan = std::make_unique<CommandPlan>();
    plan->backpropScratchBytes =
        sizeof(float) * (uint64_t(outRows) + 1) * uint64_t(cellDim);
    return plan;
  }

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &context) const override {
    for (int32_t r = 0; r < in.rows; ++r) {
      const float *x = in.row(r);
      float *h = out.row(r);
      std::memcpy(h, x + cellDim, sizeof(float) * cellDim);
      vecAddMul(cellDim, x + cPrevColumn(), context.parameters[0].data, h);
      vecTanh(cellDim, h, h);
    }
    finishRows(in, cPrevColumn(), out);
  }

  void backprop(const CommandPlan *, const BackpropOperands &operands,
                const RunContext &context) const override {
    const MatrixView deriv(static_cast<float *>(context.scratch),
                           operands.outDeriv.rows, cellDim, cellDim);
    candidateDeriv(operands, deriv, deriv.row(deriv.rows), context);
    if (operands.inDeriv.data)
      addInDeriv(operands, deriv, context.parameters[0].data);
    if (!operands.update)
      return;
    for (int32_t r = 0; r < deriv.rows; ++r)
      vecMul(cellDim, operands.inValue.row(r) + cPrevColumn(), deriv.row(r),
             deriv.row(r));
    updateVector(*operands.update, 0, deriv);
  }

private:
  int32_t cPrevColumn() const { return 2 * cellDim; }

  void addInDeriv(const BackpropOperands &operands, ConstMatrixView deriv,
                  const float *weights) const {
    addGateDerivs(operands, cPrevColumn());
    for (int32_t r = 0; r < deriv.rows; ++r) {
      float *dx = operands.inDeriv.row(r);
      vecAxpy(cellDim, 1, deriv.row(r), dx + cellDim);
      vecAddMul(cellDim, deriv.row(r), weights, dx + cPrevColumn());
    }
  }
};

} // namespace

std::unique_ptr<Component>
create(const OutputGruNonlinearityAttributes &attributes) {
  return std::make_unique<OutputGruNonlinearityComponent>(attributes);
}

} // namespace rt
} // namespace nnet3
