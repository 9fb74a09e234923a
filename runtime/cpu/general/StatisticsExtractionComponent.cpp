//===- StatisticsExtractionComponent.cpp - Counts and sums ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 6.26. The columns of the output are the number of input
// rows, their sum, and perhaps the sum of their squares.
//
//===----------------------------------------------------------------------===//

#include "StatisticsRanges.h"
#include "cpu/RowCommands.h"
#include "cpu/math/VectorMath.h"

#include <algorithm>

namespace nnet3 {
namespace rt {
namespace {

class StatisticsExtractionComponent : public Component {
public:
  explicit StatisticsExtractionComponent(
      const StatisticsExtractionAttributes &attributes)
      : Component(attributes), includeVariance(attributes.includeVariance()) {}

  std::unique_ptr<CommandPlan> plan(int32_t inRows, int32_t outRows,
                                    AttributeReader *precomputed,
                                    ErrorSink &errors) const override {
    auto plan = planRanges(inRows, outRows, precomputed, errors);
    if (plan) {
      plan->scratchBytes = 2 * sizeof(double) * uint64_t(inputDim());
      plan->backpropScratchBytes = sizeof(float) * uint64_t(inputDim());
    }
    return plan;
  }

  void propagate(const CommandPlan *plan, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &context) const override {
    const int32_t dim = inputDim();
    auto *sum = static_cast<double *>(context.scratch);
    double *sumsq = sum + dim;
    rangesOf(plan).forEachRange([&](int32_t row, int64_t begin, int64_t end) {
      std::fill_n(sum, 2 * int64_t(dim), 0.0);
      for (int64_t r = begin; r < end; ++r)
        vecAccumulate(dim, in.row(r), sum, sumsq);
      float *to = out.row(row);
      *to++ = static_cast<float>(end - begin);
      std::copy_n(sum, outputDim() - 1, to);
    });
  }

  void backprop(const CommandPlan *plan, const BackpropOperands &operands,
                const RunContext &context) const override {
    if (!operands.inDeriv.data)
      return;
    const int32_t dim = inputDim();
    auto *product = static_cast<float *>(context.scratch);
    setConst(operands.inDeriv, 0);
    rangesOf(plan).forEachRange([&](int32_t row, int64_t begin, int64_t end) {
      const float *deriv = operands.outDeriv.row(row) + 1;
      for (int64_t r = begin; r < end; ++r) {
        float *to = operands.inDeriv.row(r);
        vecAxpy(dim, 1.0f, deriv, to);
        if (!includeVariance)
          continue;
        vecMul(dim, operands.inValue.row(r), deriv + dim, product);
        vecAxpy(dim, 2.0f, product, to);
      }
    });
  }

private:
  static const RangesPlan &rangesOf(const CommandPlan *plan) {
    return static_cast<const RangesPlan &>(*plan);
  }

  bool includeVariance;
};

} // namespace

std::unique_ptr<Component>
create(const StatisticsExtractionAttributes &attributes) {
  return std::make_unique<StatisticsExtractionComponent>(attributes);
}

} // namespace rt
} // namespace nnet3
