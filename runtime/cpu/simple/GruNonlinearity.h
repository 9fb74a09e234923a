//===- GruNonlinearity.h - Base of the GRU nonlinearities -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statistics of the candidate h, and its self-repair (spec: components.md 6.23,
// 6.24).
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CPU_SIMPLE_GRUNONLINEARITY_H
#define NNET3_RUNTIME_CPU_SIMPLE_GRUNONLINEARITY_H

#include "core/ComponentState.h"

namespace nnet3 {
namespace rt {

/// Input rows begin with the gate z; output rows are h and c.
class GruNonlinearity : public Component {
public:
  void exportStatistics(const ComponentState &state,
                        AttributeWriter &writer) const override;

protected:
  template <typename Attributes>
  explicit GruNonlinearity(const Attributes &attributes)
      : Component(attributes), cellDim(attributes.cellDim()),
        repairThreshold(attributes.selfRepairThreshold()),
        repairScale(attributes.selfRepairScale()) {
    setUpdateOptions(readUpdateOptions(attributes));
    const double count = attributes.count();
    addAverage("value_avg", attributes.valueAvg(), count);
    addAverage("deriv_avg", attributes.derivAvg(), count);
    addStatistic("self_repair_total", {attributes.selfRepairTotal()});
    addStatistic("count", {count});
  }

  /// Computes c in output rows that already have h.
  void finishRows(ConstMatrixView in, int32_t cPrevColumn,
                  MatrixView out) const;

  /// \p deriv := the derivative with respect to the argument of the tanh of h.
  /// If there is an update, half of the runs add statistics and self-repair.
  void candidateDeriv(const BackpropOperands &operands, MatrixView deriv,
                      float *repair, const RunContext &context) const;

  /// Adds the derivatives of z and of c_prev through c only.
  void addGateDerivs(const BackpropOperands &operands,
                     int32_t cPrevColumn) const;

  int32_t cellDim;

private:
  /// Declares a sum with the initial value \p average times \p count; \p
  /// average may be null.
  void addAverage(const char *name, const float *average, double count);

  enum Statistic : size_t { kValueSum, kDerivSum, kSelfRepairTotal, kCount };

  void storeStatistics(ConstMatrixView h, ComponentState &state) const;
  void repairDeriv(ConstMatrixView h, ComponentState &state, float *repair,
                   MatrixView deriv) const;

  float repairThreshold;
  float repairScale;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_SIMPLE_GRUNONLINEARITY_H
