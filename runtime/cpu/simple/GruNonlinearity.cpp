//===- GruNonlinearity.cpp - Base of the GRU nonlinearities ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GruNonlinearity.h"
#include "SelfRepair.h"
#include "cpu/math/Random.h"
#include "cpu/math/VectorBackward.h"
#include "cpu/math/VectorGru.h"
#include "nnet3/runtime/Model.h"

namespace nnet3 {
namespace rt {

void GruNonlinearity::addAverage(const char *name, const float *average,
                                 double count) {
  std::vector<double> sums;
  for (int32_t i = 0; average && i < cellDim; ++i)
    sums.push_back(average[i] * count);
  addStatistic(name, cellDim, std::move(sums));
}

void GruNonlinearity::exportStatistics(const ComponentState &state,
                                       AttributeWriter &writer) const {
  const double count = state.number(kCount);
  std::vector<double> averages;
  for (Statistic which : {kValueSum, kDerivSum}) {
    averages.clear();
    for (double sum : state.statistics[which])
      averages.push_back(count == 0 ? 0 : sum / count);
    writer.vector(statistics()[which].name, averages.data(), cellDim);
  }
  for (Statistic which : {kSelfRepairTotal, kCount})
    writer.real(statistics()[which].name, state.number(which));
}

void GruNonlinearity::finishRows(ConstMatrixView in, int32_t cPrevColumn,
                                 MatrixView out) const {
  for (int32_t r = 0; r < out.rows; ++r) {
    const float *x = in.row(r);
    float *h = out.row(r);
    vecGruOutput(cellDim, x, h, x + cPrevColumn, h + cellDim);
  }
}

void GruNonlinearity::candidateDeriv(const BackpropOperands &operands,
                                     MatrixView deriv, float *repair,
                                     const RunContext &context) const {
  for (int32_t r = 0; r < deriv.rows; ++r) {
    const float *dy = operands.outDeriv.row(r);
    vecGruCandidateDeriv(cellDim, operands.inValue.row(r),
                         operands.outValue.row(r), dy, dy + cellDim,
                         deriv.row(r));
  }
  if (!operands.update)
    return;
  // One draw for all commands of a run, so that consolidation of updates does
  // not change it.
  RunContext whole = context;
  whole.commandNumber = 0;
  if (RandomStream(whole, RandomPurpose::Update).uniform(0) <
      kRepairProbability)
    return;
  storeStatistics(operands.outValue, *operands.update);
  repairDeriv(operands.outValue, *operands.update, repair, deriv);
}

void GruNonlinearity::storeStatistics(ConstMatrixView h,
                                      ComponentState &state) const {
  for (int32_t r = 0; r < h.rows; ++r)
    vecTanhStats(cellDim, h.row(r), state.statistics[kValueSum].data(),
                 state.statistics[kDerivSum].data());
  state.number(kCount) += h.rows;
}

void GruNonlinearity::repairDeriv(ConstMatrixView h, ComponentState &state,
                                  float *repair, MatrixView deriv) const {
  if (repairScale == 0)
    return;
  const double threshold = repairThreshold * state.number(kCount);
  int32_t numLow = 0;
  for (int32_t i = 0; i < cellDim; ++i) {
    const bool isLow = state.statistics[kDerivSum][i] < threshold;
    repair[i] = isLow ? repairScale / kRepairProbability : 0;
    numLow += isLow;
  }
  state.number(kSelfRepairTotal) += numLow;
  for (int32_t r = 0; numLow > 0 && r < deriv.rows; ++r)
    vecTanhRepair(cellDim, repair, h.row(r), deriv.row(r));
}

void GruNonlinearity::addGateDerivs(const BackpropOperands &operands,
                                    int32_t cPrevColumn) const {
  const MatrixView &inDeriv = operands.inDeriv;
  for (int32_t r = 0; r < inDeriv.rows; ++r) {
    const float *x = operands.inValue.row(r);
    vecGruGateDeriv(cellDim, x, operands.outValue.row(r), x + cPrevColumn,
                    operands.outDeriv.row(r) + cellDim, inDeriv.row(r),
                    inDeriv.row(r) + cPrevColumn);
  }
}

} // namespace rt
} // namespace nnet3
