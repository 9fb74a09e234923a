//===- NonlinearBase.h - Base of nonlinearities -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The statistics of Kaldi's NonlinearComponent (spec: components.md 3.2).
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CPU_SIMPLE_NONLINEARBASE_H
#define NNET3_RUNTIME_CPU_SIMPLE_NONLINEARBASE_H

#include "core/Component.h"

namespace nnet3 {
namespace rt {

/// The sums over rows that a type keeps in its forward pass.
enum class NonlinearSums { None, Values, ValuesAndDerivs };

/// y = f(x) of one dim, with statistics of y, f'(x) and the derivative of y.
class NonlinearBase : public Component {
public:
  /// Writes the averages that the attributes have or that have counted rows.
  void exportStatistics(const ComponentState &state,
                        AttributeWriter &writer) const override;

protected:
  /// Declares the statistics of \p attributes.
  template <typename Attributes>
  NonlinearBase(const Attributes &attributes, NonlinearSums kept)
      : Component(attributes), kept(kept) {
    addStatistics(attributes);
  }

  /// Positions of the statistics. The sums have one element per column.
  enum Statistic : size_t {
    kValueSum,
    kDerivSum,
    kCount,
    kOderivSumsq,
    kOderivCount,
    kNumDimsSelfRepaired,
    kNumDimsProcessed
  };

  /// Adds the squares of \p outDeriv in three of four commands at random; does
  /// nothing if \p update is null.
  void storeBackpropStats(ConstMatrixView outDeriv, ComponentState *update,
                          const RunContext &context) const;

private:
  void addStatistics(AttributeReader &attributes);

  NonlinearSums kept;
  // Whether the attributes have these averages.
  bool hasValues, hasDerivs, hasOderivs;
};

/// Positions of a backprop command's random numbers.
enum NonlinearDraw : uint64_t { kStatsDraw, kSelfRepairDraw };

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_SIMPLE_NONLINEARBASE_H
