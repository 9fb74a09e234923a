//===- NonlinearComponents.cpp - Elementwise nonlinearities ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RectifiedLinear, Sigmoid, Tanh (spec: components.md 3.2, 6.6, 6.17, 6.18).
//
//===----------------------------------------------------------------------===//

#include "NonlinearBase.h"
#include "SelfRepair.h"
#include "core/ComponentAttributes.h"
#include "core/ComponentState.h"
#include "cpu/math/Random.h"
#include "cpu/math/Rows.h"
#include "cpu/math/VectorBackward.h"
#include "cpu/math/VectorMath.h"

namespace nnet3 {
namespace rt {
namespace {

/// y = f(x) for each element. The other functions compute f'(x) from y.
struct Function {
  void (*apply)(int64_t n, const float *x, float *y);
  void (*derivative)(int64_t n, const float *y, const float *dy, float *dx);
  void (*addStats)(int64_t n, const float *y, double *sum, double *derivSum);
  void (*repair)(int64_t n, const float *amount, const float *y, float *dx);
  /// Default bounds of the average f'(x). Self-repair applies to dims below
  /// `lower`; for rectified linear units, at most `lower` or above `upper`.
  double lower, upper;
  bool isRelu;
};

/// Parameters of self-repair, which depends on the average f'(x) of each
/// column.
struct SelfRepair {
  float scale;
  double lower, upper;
  bool setsUpper;
};

SelfRepair readSelfRepair(const Function &f, AttributeReader &attributes) {
  return {static_cast<float>(attributes.real("self_repair_scale", 0)),
          attributes.real("self_repair_lower_threshold", f.lower),
          attributes.real("self_repair_upper_threshold", f.upper),
          attributes.has("self_repair_upper_threshold")};
}

class ElementwiseComponent : public NonlinearBase {
public:
  /// Self-repair treats columns that are equal modulo \p blockDim alike.
  template <typename Attributes>
  ElementwiseComponent(const Function &f, const Attributes &attributes,
                       int32_t blockDim)
      : NonlinearBase(attributes, NonlinearSums::ValuesAndDerivs), f(f),
        blockDim(blockDim), selfRepair(readSelfRepair(f, attributes)) {}

  /// Scratch buffer: the term of self-repair for each column.
  std::unique_ptr<CommandPlan> plan(int32_t inRows, int32_t outRows,
                                    AttributeReader *precomputed,
                                    ErrorSink &errors) const override {
    Component::plan(inRows, outRows, precomputed, errors);
    auto plan = std::make_unique<CommandPlan>();
    if (selfRepair.scale != 0)
      plan->backpropScratchBytes = uint64_t(blockDim) * sizeof(float);
    return plan;
  }

  void checkTraining(ErrorSink &errors) const override {
    if (selfRepair.scale == 0)
      return;
    if (!(selfRepair.scale > 0 && selfRepair.scale < 0.1f))
      errors.fail("expects a self_repair_scale from 0 to below 0.1, but got " +
                  std::to_string(selfRepair.scale));
    if (selfRepair.setsUpper && !f.isRelu)
      errors.fail("has no use for a self_repair_upper_threshold");
  }

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &) const override {
    forEachElement(in, out, f.apply);
  }

  void storeStats(ConstMatrixView, ConstMatrixView out, const void *,
                  ComponentState &state,
                  const RunContext &context) const override {
    RandomStream random(context, RandomPurpose::StoreStats);
    if (state.number(kCount) != 0 && random.integer(0, 0, 1) == 0)
      return;
    for (int32_t r = 0; r < out.rows; ++r)
      f.addStats(out.cols, out.row(r), state.statistics[kValueSum].data(),
                 state.statistics[kDerivSum].data());
    state.number(kCount) += out.rows;
  }

  void backprop(const CommandPlan *, const BackpropOperands &operands,
                const RunContext &context) const override {
    const MatrixView &inDeriv = operands.inDeriv;
    if (!inDeriv.data)
      return;
    for (int32_t r = 0; r < inDeriv.rows; ++r)
      f.derivative(inDeriv.cols, operands.outValue.row(r),
                   operands.outDeriv.row(r), inDeriv.row(r));
    repair(operands, context);
    storeBackpropStats(operands.outDeriv, operands.update, context);
  }

private:
  void repair(const BackpropOperands &operands,
              const RunContext &context) const;
  int32_t findAmounts(const ComponentState &self, float *amounts) const;

  const Function &f;
  int32_t blockDim;
  SelfRepair selfRepair;
};

/// Writes the amount of self-repair for each column of a block. Returns the
/// number of columns with a nonzero amount.
int32_t ElementwiseComponent::findAmounts(const ComponentState &self,
                                          float *amounts) const {
  const double *derivSum = self.statistics[kDerivSum].data();
  const int32_t blocks = outputDim() / blockDim;
  const double count = self.number(kCount) * blocks;
  const double lower = selfRepair.lower * count;
  const double upper = selfRepair.upper * count;
  const float amount = selfRepair.scale / kRepairProbability;
  int32_t numRepaired = 0;
  for (int32_t c = 0; c < blockDim; ++c) {
    double sum = 0;
    for (int32_t b = 0; b < blocks; ++b)
      sum += derivSum[int64_t(b) * blockDim + c];
    const bool isLow = sum < lower || (f.isRelu && sum == lower);
    const bool isHigh = f.isRelu && sum > upper;
    amounts[c] = isLow ? amount : isHigh ? -amount : 0;
    numRepaired += isLow || isHigh;
  }
  return numRepaired;
}

void ElementwiseComponent::repair(const BackpropOperands &operands,
                                  const RunContext &context) const {
  ComponentState *update = operands.update;
  if (!update || !operands.self)
    return;
  // Rectified linear units count only dims that self-repair considered.
  if (!f.isRelu)
    update->number(kNumDimsProcessed) += blockDim;
  RandomStream random(context, RandomPurpose::Backprop);
  if (selfRepair.scale == 0 || operands.self->number(kCount) == 0 ||
      random.uniform(kSelfRepairDraw) >= kRepairProbability)
    return;
  if (f.isRelu)
    update->number(kNumDimsProcessed) += blockDim;
  auto *amounts = static_cast<float *>(context.scratch);
  const int32_t numRepaired = findAmounts(*operands.self, amounts);
  update->number(kNumDimsSelfRepaired) += numRepaired;
  if (numRepaired != 0)
    forEachBlock(
        operands.outValue, operands.inDeriv, blockDim, blockDim,
        [&](const float *y, float *dx) { f.repair(blockDim, amounts, y, dx); });
}

constexpr Function kRelu = {vecRelu, vecReluDeriv, vecReluStats, vecReluRepair,
                            0.05,    0.95,         true};
constexpr Function kSigmoid = {
    vecSigmoid, vecSigmoidDeriv, vecSigmoidStats, vecSigmoidRepair, 0.05, 0,
    false};
constexpr Function kTanh = {
    vecTanh, vecTanhDeriv, vecTanhStats, vecTanhRepair, 0.2, 0, false};

} // namespace

std::unique_ptr<Component> create(const RectifiedLinearAttributes &attributes) {
  return std::make_unique<ElementwiseComponent>(kRelu, attributes,
                                                attributes.blockDim());
}

std::unique_ptr<Component> create(const SigmoidAttributes &attributes) {
  return std::make_unique<ElementwiseComponent>(kSigmoid, attributes,
                                                attributes.dim());
}

std::unique_ptr<Component> create(const TanhAttributes &attributes) {
  return std::make_unique<ElementwiseComponent>(kTanh, attributes,
                                                attributes.dim());
}

} // namespace rt
} // namespace nnet3
