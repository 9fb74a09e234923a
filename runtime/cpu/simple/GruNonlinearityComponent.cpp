//===- GruNonlinearityComponent.cpp - The gates of a GRU ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 6.23. Input blocks z, r, hpart, c_prev and, unless equal
// to c_prev, s_prev; h = tanh(hpart + (r (.) s_prev) w_h^T).
//
//===----------------------------------------------------------------------===//

#include "AffineMap.h"
#include "GruNonlinearity.h"
#include "core/ComponentAttributes.h"
#include "core/Gemm.h"
#include "cpu/math/VectorGru.h"
#include "cpu/math/VectorMath.h"

#include <cstring>
#include <string>

namespace nnet3 {
namespace rt {
namespace {

class GruNonlinearityComponent : public GruNonlinearity {
public:
  explicit GruNonlinearityComponent(const GruNonlinearityAttributes &attributes)
      : GruNonlinearity(attributes), recurrentDim(attributes.recurrentDim()) {
    addMatrix("w_h", ConstMatrixView(attributes.wH(), cellDim, recurrentDim,
                                     recurrentDim));
    for (int32_t rank : {attributes.rankIn(), attributes.rankOut()})
      addPreconditioner(checkedPreconditioner(
          attributes, rank, attributes.updatePeriod(), attributes.alpha()));
  }

  std::unique_ptr<CommandPlan> plan(int32_t inRows, int32_t outRows,
                                    AttributeReader *precomputed,
                                    ErrorSink &errors) const override {
    Component::plan(inRows, outRows, precomputed, errors);
    auto plan = std::make_unique<CommandPlan>();
    const uint64_t gated = uint64_t(outRows) * recurrentDim;
    plan->scratchBytes = sizeof(float) * gated;
    plan->backpropScratchBytes =
        sizeof(float) * (2 * gated + uint64_t(outRows) * cellDim + cellDim) +
        updateScratch(outRows) + kAlignment;
    return plan;
  }

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &context) const override {
    const MatrixView gated(static_cast<float *>(context.scratch), in.rows,
                           recurrentDim, recurrentDim);
    gate(in, gated);
    const MatrixView h(out.data, out.rows, cellDim, out.stride);
    for (int32_t r = 0; r < h.rows; ++r)
      std::memcpy(h.row(r), in.row(r) + hpartColumn(), sizeof(float) * cellDim);
    gemmNT(gated, context.parameters[0], 1, h);
    for (int32_t r = 0; r < h.rows; ++r)
      vecTanh(cellDim, h.row(r), h.row(r));
    finishRows(in, cPrevColumn(), out);
  }

  void backprop(const CommandPlan *, const BackpropOperands &operands,
                const RunContext &context) const override {
    auto *scratch = static_cast<float *>(context.scratch);
    const int32_t rows = operands.outDeriv.rows;
    const MatrixView gated(scratch, rows, recurrentDim, recurrentDim);
    const MatrixView gatedDeriv(gated.row(rows), rows, recurrentDim,
                                recurrentDim);
    const MatrixView deriv(gatedDeriv.row(rows), rows, cellDim, cellDim);
    float *repair = deriv.row(rows);
    candidateDeriv(operands, deriv, repair, context);
    if (operands.inDeriv.data)
      addInDeriv(operands, deriv, gatedDeriv, context.parameters[0]);
    if (!operands.update)
      return;
    gate(operands.inValue, gated);
    affineUpdate(wholeInput(), gated, deriv, align(repair + cellDim),
                 *operands.update);
  }

private:
  static constexpr uint64_t kAlignment = 64;

  static void *align(float *pointer) {
    const auto address = reinterpret_cast<uintptr_t>(pointer);
    return reinterpret_cast<void *>((address + kAlignment - 1) / kAlignment *
                                    kAlignment);
  }

  int32_t hpartColumn() const { return cellDim + recurrentDim; }
  int32_t cPrevColumn() const { return 2 * cellDim + recurrentDim; }
  int32_t sPrevColumn() const {
    return cellDim == recurrentDim ? cPrevColumn() : cPrevColumn() + cellDim;
  }

  uint64_t updateScratch(int32_t rows) const {
    return affineUpdateScratch(rows, recurrentDim, cellDim, /*hasBias=*/false,
                               /*hasPreconditioners=*/true);
  }

  /// r (.) s_prev
  void gate(ConstMatrixView in, MatrixView gated) const {
    for (int32_t r = 0; r < in.rows; ++r)
      vecMul(recurrentDim, in.row(r) + cellDim, in.row(r) + sPrevColumn(),
             gated.row(r));
  }

  void addInDeriv(const BackpropOperands &operands, ConstMatrixView deriv,
                  MatrixView gatedDeriv, ConstMatrixView weights) const {
    addGateDerivs(operands, cPrevColumn());
    gemmNN(deriv, weights, 1, 0, gatedDeriv);
    for (int32_t r = 0; r < deriv.rows; ++r) {
      const float *x = operands.inValue.row(r), *q = gatedDeriv.row(r);
      float *dx = operands.inDeriv.row(r);
      vecAxpy(cellDim, 1, deriv.row(r), dx + hpartColumn());
      vecAddMul(recurrentDim, q, x + sPrevColumn(), dx + cellDim);
      vecAddMul(recurrentDim, q, x + cellDim, dx + sPrevColumn());
    }
  }

  int32_t recurrentDim;
};

} // namespace

std::unique_ptr<Component> create(const GruNonlinearityAttributes &attributes) {
  if (attributes.recurrentDim() > attributes.cellDim())
    attributes.fail("expects recurrent_dim up to cell_dim, but got " +
                    std::to_string(attributes.recurrentDim()) + " and " +
                    std::to_string(attributes.cellDim()));
  if (!attributes.ok())
    return nullptr;
  return std::make_unique<GruNonlinearityComponent>(attributes);
}

} // namespace rt
} // namespace nnet3
