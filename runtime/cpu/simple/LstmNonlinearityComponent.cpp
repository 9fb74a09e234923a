//===- LstmNonlinearityComponent.cpp - The gates of an LSTM ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 6.15.
//
//===----------------------------------------------------------------------===//

#include "core/ComponentAttributes.h"
#include "core/ComponentState.h"
#include "cpu/math/VectorBackward.h"
#include "cpu/math/VectorMath.h"
#include "nnet3/runtime/Model.h"

#include <algorithm>
#include <array>

namespace nnet3 {
namespace rt {
namespace {

/// For i, f, tanh(c_part), o and tanh(c): self-repair adds the scale in columns
/// whose average derivative is below the threshold.
struct SelfRepairConfig {
  std::array<float, 5> thresholds = {0.05f, 0.05f, 0.2f, 0.05f, 0.2f};
  std::array<float, 5> scales = {1e-5f, 1e-5f, 1e-5f, 1e-5f, 1e-5f};
};

/// The scratch buffer of the backward pass.
struct LstmScratch {
  LstmScratch(void *memory, int64_t cellDim)
      : gradientSum(static_cast<double *>(memory)),
        gradient(reinterpret_cast<float *>(gradientSum + 3 * cellDim)),
        repair(gradient + 3 * cellDim), dx(repair + 5 * cellDim) {}

  static uint64_t bytes(uint64_t cellDim) {
    return 3 * cellDim * sizeof(double) + 13 * cellDim * sizeof(float);
  }

  double *gradientSum; ///< 3 x cellDim
  float *gradient;     ///< 3 x cellDim
  float *repair;       ///< 5 x cellDim: terms of self-repair
  float *dx;           ///< 5 x cellDim: of a row, if there is no inDeriv
};

class LstmNonlinearityComponent : public Component {
public:
  explicit LstmNonlinearityComponent(
      const LstmNonlinearityAttributes &attributes);

  std::unique_ptr<CommandPlan> plan(int32_t inRows, int32_t outRows,
                                    AttributeReader *precomputed,
                                    ErrorSink &errors) const override {
    Component::plan(inRows, outRows, precomputed, errors);
    auto plan = std::make_unique<CommandPlan>();
    plan->backpropScratchBytes = LstmScratch::bytes(cellDim);
    return plan;
  }

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &context) const override {
    for (int32_t r = 0; r < in.rows; ++r) {
      const float *x = in.row(r);
      const float *scales = gateScales(x);
      vecLstm(cellDim, x, context.parameters[0].data, scales[0], scales[1],
              scales[2], out.row(r));
    }
  }

  bool preconditionsRows() const override { return false; }

  void backprop(const CommandPlan *, const BackpropOperands &operands,
                const RunContext &context) const override;
  void exportStatistics(const ComponentState &state,
                        AttributeWriter &writer) const override;

private:
  enum Statistic : size_t {
    kValueSum,        ///< 5 x cellDim
    kDerivSum,        ///< 5 x cellDim
    kSelfRepairTotal, ///< 5
    kCount
  };

  /// Returns the scales of the gates i, f and o of a row.
  const float *gateScales(const float *x) const {
    static constexpr float kNone[3] = {1.0f, 1.0f, 1.0f};
    return useDropout ? x + 5 * int64_t(cellDim) : kNone;
  }

  void addStatistics(const LstmNonlinearityAttributes &attributes);
  void findRepairs(const BackpropOperands &operands, float *repair) const;
  void backpropTile(int32_t row, int32_t col, const BackpropOperands &operands,
                    const float *w, const LstmScratch &scratch) const;
  void addGradient(const LstmScratch &scratch, ComponentState &update) const;

  int32_t cellDim;
  bool useDropout;
  SelfRepairConfig selfRepair;
};

LstmNonlinearityComponent::LstmNonlinearityComponent(
    const LstmNonlinearityAttributes &attributes)
    : Component(attributes), cellDim(attributes.cellDim()),
      useDropout(attributes.useDropout()) {
  // The peephole weights of i, f and o.
  addMatrix("params",
            ConstMatrixView(attributes.params(), 3, cellDim, cellDim));
  setUpdateOptions(readUpdateOptions(attributes));
  NaturalGradientOptions naturalGradient;
  naturalGradient.rank = 20;
  naturalGradient.updatePeriod = 2;
  naturalGradient.numSamplesHistory = 1000;
  addPreconditioner(naturalGradient);
  if (const float *config = attributes.selfRepairConfig()) {
    std::copy_n(config, 5, selfRepair.thresholds.begin());
    std::copy_n(config + 5, 5, selfRepair.scales.begin());
  }
  addStatistics(attributes);
}

/// Declares the statistics with initial values from the attributes.
void LstmNonlinearityComponent::addStatistics(
    const LstmNonlinearityAttributes &attributes) {
  const double count = attributes.count();
  auto add = [&](const char *name, const float *average, size_t size,
                 double scale) {
    std::vector<double> sums;
    for (size_t i = 0; average && i < size; ++i)
      sums.push_back(average[i] * scale);
    addStatistic(name, size, std::move(sums));
  };
  const size_t size = size_t(5) * cellDim;
  add("value_avg", attributes.valueAvg(), size, count);
  add("deriv_avg", attributes.derivAvg(), size, count);
  add("self_repair_prob", attributes.selfRepairProb(), 5, count * cellDim);
  addStatistic("count", {count});
}

/// Writes the term of self-repair for each column, and counts repairs if the
/// model is updated. Uses the statistics of the network, or of the program if
/// there is no model. As in Kaldi, the derivative does not depend on whether
/// the model is updated, so that updates may be consolidated.
void LstmNonlinearityComponent::findRepairs(const BackpropOperands &operands,
                                            float *repair) const {
  const bool hasSelf = operands.self;
  auto statistic = [&](Statistic which) -> const std::vector<double> & {
    return hasSelf ? operands.self->statistics[which]
                   : statistics()[which].initial;
  };
  const std::vector<double> &derivSum = statistic(kDerivSum);
  const double count = 1 + statistic(kCount)[0];
  for (int32_t k = 0; k < 5; ++k) {
    const double threshold = selfRepair.thresholds[k] * count;
    int64_t numLow = 0;
    for (int64_t i = int64_t(k) * cellDim; i < int64_t(k + 1) * cellDim; ++i) {
      const bool isLow = (derivSum.empty() ? 0 : derivSum[i]) < threshold;
      repair[i] = isLow ? selfRepair.scales[k] : 0;
      numLow += isLow;
    }
    if (operands.update)
      operands.update->statistics[kSelfRepairTotal][k] +=
          double(numLow) * operands.inValue.rows;
  }
}

/// Computes a tile of at most kLstmRows x kLstmColumns from \p row and from
/// column \p col of each block on.
void LstmNonlinearityComponent::backpropTile(int32_t row, int32_t col,
                                             const BackpropOperands &operands,
                                             const float *w,
                                             const LstmScratch &scratch) const {
  const ConstMatrixView &in = operands.inValue;
  const MatrixView &inDeriv = operands.inDeriv;
  LstmDerivRows rows;
  rows.rows = std::min(kLstmRows, in.rows - row);
  rows.x = in.row(row) + col;
  rows.xStride = in.stride;
  rows.dy = operands.outDeriv.row(row) + col;
  rows.dyStride = operands.outDeriv.stride;
  rows.scales = gateScales(in.row(row));
  rows.scaleStride = useDropout ? in.stride : 0;
  rows.dx = (inDeriv.data ? inDeriv.row(row) : scratch.dx) + col;
  rows.dxStride = inDeriv.data ? inDeriv.stride : 0;
  rows.w = w + col;
  rows.repair = scratch.repair + col;
  rows.pitch = cellDim;
  LstmTraining training = {};
  if (ComponentState *update = operands.update)
    training = {update->statistics[kValueSum].data() + col,
                update->statistics[kDerivSum].data() + col,
                scratch.gradientSum + col};
  vecLstmDeriv(std::min(kLstmColumns, cellDim - col), rows,
               operands.update ? &training : nullptr);
}

void LstmNonlinearityComponent::addGradient(const LstmScratch &scratch,
                                            ComponentState &update) const {
  const MatrixView gradient(scratch.gradient, 3, cellDim, cellDim);
  for (int64_t i = 0; i < 3 * int64_t(cellDim); ++i)
    gradient.data[i] = static_cast<float>(scratch.gradientSum[i]);
  double scale = update.learningRate;
  if (!update.isGradient) {
    scale *= sumGradient(update, gradient);
    scale *= update.preconditioners[0]->precondition(gradient);
  }
  if (update.learningRate == 0) // only the preconditioner was updated
    return;
  vecAxpy(3 * int64_t(cellDim), static_cast<float>(scale), gradient.data,
          update.parameters[0].data);
}

void LstmNonlinearityComponent::backprop(const CommandPlan *,
                                         const BackpropOperands &operands,
                                         const RunContext &context) const {
  const LstmScratch scratch(context.scratch, cellDim);
  ComponentState *update = operands.update;
  findRepairs(operands, scratch.repair);
  if (update)
    std::fill_n(scratch.gradientSum, 3 * int64_t(cellDim), 0.0);
  for (int32_t row = 0; row < operands.inValue.rows; row += kLstmRows)
    for (int32_t col = 0; col < cellDim; col += kLstmColumns)
      backpropTile(row, col, operands, context.parameters[0].data, scratch);
  // No derivatives of the gates' scales are computed (spec: quirk Q12).
  for (int32_t r = 0; useDropout && r < operands.inDeriv.rows; ++r)
    vecFill(3, 0, operands.inDeriv.row(r) + 5 * int64_t(cellDim));
  if (update) {
    update->number(kCount) += operands.inValue.rows;
    addGradient(scratch, *update);
  }
}

void LstmNonlinearityComponent::exportStatistics(
    const ComponentState &state, AttributeWriter &writer) const {
  const double count = state.number(kCount);
  for (Statistic which : {kValueSum, kDerivSum}) {
    std::vector<float> averages;
    for (double sum : state.statistics[which])
      averages.push_back(count == 0 ? 0 : static_cast<float>(sum / count));
    writer.parameter(statistics()[which].name,
                     ConstMatrixView(averages.data(), 5, cellDim, cellDim),
                     /*isVector=*/false);
  }
  std::vector<double> probabilities;
  for (double total : state.statistics[kSelfRepairTotal])
    probabilities.push_back(count == 0 ? 0 : total / (count * cellDim));
  writer.vector("self_repair_prob", probabilities.data(), 5);
  writer.real("count", count);
}

} // namespace

std::unique_ptr<Component>
create(const LstmNonlinearityAttributes &attributes) {
  return std::make_unique<LstmNonlinearityComponent>(attributes);
}

} // namespace rt
} // namespace nnet3
