//===- RestrictedAttentionComponent.cpp - Attention to near frames --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 6.28. Output row r attends to input rows r, r + shift,
// r + 2 shift, ...; one of them has the query.
//
//===----------------------------------------------------------------------===//

#include "core/ComponentAttributes.h"
#include "core/ComponentState.h"
#include "cpu/math/Random.h"
#include "cpu/math/VectorMath.h"
#include "nnet3/runtime/Model.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace nnet3 {
namespace rt {
namespace {

struct AttentionShape {
  int32_t numHeads;
  int32_t keyDim, valueDim;
  int32_t numLeft, numRight;
  bool outputContext;
  float keyScale;

  /// Input rows of one output row.
  int32_t context() const { return numLeft + 1 + numRight; }
  /// Columns of one head.
  int64_t headIn() const {
    return 2 * int64_t(keyDim) + valueDim + numLeft + 1 + int64_t(numRight);
  }
  int64_t headOut() const {
    return valueDim +
           (outputContext ? numLeft + 1 + int64_t(numRight) : int64_t(0));
  }
};

struct AttentionPlan : CommandPlan {
  int32_t rowShift = 0;
};

/// The inputs of one output row of one head.
struct HeadInput {
  const float *first; ///< the head's columns of the first row of the context
  int64_t distance;   ///< between rows of the context, in floats
  const float *query; ///< followed by an addend for each row

  const float *key(int32_t o) const { return first + o * distance; }
};

class RestrictedAttentionComponent : public Component {
public:
  RestrictedAttentionComponent(const AttentionShape &shape,
                               const RestrictedAttentionAttributes &attributes);

  std::unique_ptr<CommandPlan> plan(int32_t inRows, int32_t outRows,
                                    AttributeReader *precomputed,
                                    ErrorSink &errors) const override;
  void propagate(const CommandPlan *plan, ConstMatrixView in, MatrixView out,
                 void *memo, const RunContext &context) const override;
  void storeStats(ConstMatrixView in, ConstMatrixView out, const void *memo,
                  ComponentState &state,
                  const RunContext &context) const override;
  void backprop(const CommandPlan *plan, const BackpropOperands &operands,
                const RunContext &context) const override;
  void exportStatistics(const ComponentState &state,
                        AttributeWriter &writer) const override;

private:
  enum Statistic { kCount, kEntropy, kPosterior };
  /// Position of the only random number of a storeStats command.
  static constexpr uint64_t kStatsDraw = 0;

  HeadInput getInput(const CommandPlan *plan, ConstMatrixView in, int32_t row,
                     int32_t head) const;
  void attend(const HeadInput &input, float *weights) const;
  void backpropHead(const HeadInput &input, const float *weights,
                    const float *outDeriv, float *weightDerivs, float *inDeriv,
                    int64_t inDerivDistance) const;

  AttentionShape shape;
  /// Whether the program has statistics.
  bool hasStats;
};

} // namespace

RestrictedAttentionComponent::RestrictedAttentionComponent(
    const AttentionShape &shape,
    const RestrictedAttentionAttributes &attributes)
    : Component(static_cast<int32_t>(shape.numHeads * shape.headIn()),
                static_cast<int32_t>(shape.numHeads * shape.headOut()),
                attributes.properties()),
      shape(shape), hasStats(attributes.reader.has("entropy_stats")) {
  const size_t heads = shape.numHeads;
  const size_t weights = heads * shape.context();
  addStatistic("stats_count", {attributes.statsCount()});
  addStatistic("entropy_stats", heads,
               attributes.reader.doubles("entropy_stats", heads));
  addStatistic("posterior_stats", weights,
               attributes.reader.doubles("posterior_stats", weights));
}

std::unique_ptr<CommandPlan>
RestrictedAttentionComponent::plan(int32_t inRows, int32_t outRows,
                                   AttributeReader *precomputed,
                                   ErrorSink &errors) const {
  if (!precomputed) {
    errors.fail("needs precomputed indexes");
    return nullptr;
  }
  auto plan = std::make_unique<AttentionPlan>();
  plan->rowShift = precomputed->integer("row_shift", 0);
  if (!precomputed->ok())
    return nullptr;
  const int64_t reach = int64_t(plan->rowShift) * (shape.context() - 1);
  if (outRows + reach != inRows) {
    errors.fail("expects " + std::to_string(outRows + reach) +
                " input rows, but got " + std::to_string(inRows));
    return nullptr;
  }
  const uint64_t rowBytes =
      sizeof(float) * uint64_t(shape.numHeads) * shape.context();
  plan->memoBytes = rowBytes * outRows;
  plan->scratchBytes = plan->backpropScratchBytes =
      sizeof(float) * uint64_t(shape.context());
  return plan;
}

HeadInput RestrictedAttentionComponent::getInput(const CommandPlan *plan,
                                                 ConstMatrixView in,
                                                 int32_t row,
                                                 int32_t head) const {
  HeadInput input;
  input.distance =
      static_cast<const AttentionPlan *>(plan)->rowShift * in.stride;
  input.first = in.row(row) + head * shape.headIn();
  input.query = input.key(shape.numLeft) + shape.keyDim + shape.valueDim;
  return input;
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

/// Sets \p weights to the attention weights of the context's rows.
void RestrictedAttentionComponent::attend(const HeadInput &input,
                                          float *weights) const {
  const int32_t context = shape.context();
  const float *addends = input.query + shape.keyDim;
  for (int32_t o = 0; o < context; ++o)
    weights[o] = static_cast<float>(
        shape.keyScale * vecDot(shape.keyDim, input.query, input.key(o)) +
        addends[o]);
  const double sum =
      vecExpSum(context, weights, vecMax(context, weights), weights);
  vecScale(context, static_cast<float>(1 / sum), weights, weights);
}

void RestrictedAttentionComponent::propagate(const CommandPlan *plan,
                                             ConstMatrixView in, MatrixView out,
                                             void *memo,
                                             const RunContext &context) const {
  const int32_t numWeights = shape.context();
  auto *kept = static_cast<float *>(memo);
  for (int32_t row = 0; row < out.rows; ++row)
    for (int32_t head = 0; head < shape.numHeads; ++head) {
      const HeadInput input = getInput(plan, in, row, head);
      float *weights = kept ? kept : static_cast<float *>(context.scratch);
      float *to = out.row(row) + head * shape.headOut();
      attend(input, weights);
      for (int32_t o = 0; o < numWeights; ++o)
        vecAxpy(shape.valueDim, weights[o], input.key(o) + shape.keyDim, to);
      if (shape.outputContext)
        vecAxpy(numWeights, 1.0f, weights, to + shape.valueDim);
      if (kept)
        kept += numWeights;
    }
}

//===----------------------------------------------------------------------===//
// Backward
//===----------------------------------------------------------------------===//

/// \p inDeriv and \p inDerivDistance are `first` and `distance` of the input's
/// derivative.
void RestrictedAttentionComponent::backpropHead(
    const HeadInput &input, const float *weights, const float *outDeriv,
    float *weightDerivs, float *inDeriv, int64_t inDerivDistance) const {
  const int32_t context = shape.context(), keyDim = shape.keyDim;
  double mean = 0;
  for (int32_t o = 0; o < context; ++o) {
    double deriv = vecDot(shape.valueDim, outDeriv, input.key(o) + keyDim);
    if (shape.outputContext)
      deriv += outDeriv[shape.valueDim + o];
    weightDerivs[o] = static_cast<float>(deriv);
    mean += deriv * weights[o];
  }
  float *queryDeriv =
      inDeriv + shape.numLeft * inDerivDistance + keyDim + shape.valueDim;
  for (int32_t o = 0; o < context; ++o) {
    float *keyDeriv = inDeriv + o * inDerivDistance;
    const auto deriv =
        static_cast<float>(weights[o] * (weightDerivs[o] - mean));
    queryDeriv[keyDim + o] += deriv;
    vecAxpy(keyDim, shape.keyScale * deriv, input.key(o), queryDeriv);
    vecAxpy(keyDim, shape.keyScale * deriv, input.query, keyDeriv);
    vecAxpy(shape.valueDim, weights[o], outDeriv, keyDeriv + keyDim);
  }
}

void RestrictedAttentionComponent::backprop(const CommandPlan *plan,
                                            const BackpropOperands &operands,
                                            const RunContext &context) const {
  const MatrixView &inDeriv = operands.inDeriv;
  if (!inDeriv.data)
    return;
  const auto *weights = static_cast<const float *>(operands.memo);
  auto *weightDerivs = static_cast<float *>(context.scratch);
  const int64_t inDerivDistance =
      static_cast<const AttentionPlan *>(plan)->rowShift * inDeriv.stride;
  for (int32_t row = 0; row < operands.outDeriv.rows; ++row)
    for (int32_t head = 0; head < shape.numHeads; ++head) {
      const HeadInput input = getInput(plan, operands.inValue, row, head);
      backpropHead(input, weights,
                   operands.outDeriv.row(row) + head * shape.headOut(),
                   weightDerivs, inDeriv.row(row) + head * shape.headIn(),
                   inDerivDistance);
      weights += shape.context();
    }
}

//===----------------------------------------------------------------------===//
// Statistics
//===----------------------------------------------------------------------===//

/// Skips one minibatch in three at random, but never the first.
void RestrictedAttentionComponent::storeStats(ConstMatrixView,
                                              ConstMatrixView out,
                                              const void *memo,
                                              ComponentState &state,
                                              const RunContext &context) const {
  RandomStream random(context, RandomPurpose::StoreStats);
  if (state.number(kCount) != 0 && random.integer(kStatsDraw, 0, 2) == 0)
    return;
  const auto *weights = static_cast<const float *>(memo);
  for (int32_t row = 0; row < out.rows; ++row)
    for (int32_t head = 0; head < shape.numHeads; ++head) {
      double &entropy = state.statistics[kEntropy][head];
      double *posterior =
          &state.statistics[kPosterior][size_t(head) * shape.context()];
      for (int32_t o = 0; o < shape.context(); ++o) {
        const double weight = *weights++;
        posterior[o] += weight;
        entropy -= weight * std::log(std::max(weight, 1e-20));
      }
    }
  state.number(kCount) += out.rows;
}

void RestrictedAttentionComponent::exportStatistics(
    const ComponentState &state, AttributeWriter &writer) const {
  const bool any = hasStats || state.number(kCount) != 0;
  writer.real("stats_count", state.number(kCount));
  for (Statistic which : {kEntropy, kPosterior}) {
    const std::vector<double> &sums = state.statistics[which];
    writer.doubles(statistics()[which].name, sums.data(),
                   any ? static_cast<int32_t>(sums.size()) : 0);
  }
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

std::unique_ptr<Component>
create(const RestrictedAttentionAttributes &attributes) {
  AttentionShape shape;
  shape.numHeads = attributes.numHeads();
  shape.keyDim = attributes.keyDim();
  shape.valueDim = attributes.valueDim();
  shape.numLeft = attributes.numLeftInputs();
  shape.numRight = attributes.numRightInputs();
  shape.outputContext = attributes.outputContext();
  shape.keyScale = attributes.keyScale();
  if (int64_t(shape.numLeft) + shape.numRight == 0)
    attributes.fail("expects num_left_inputs and num_right_inputs that are not "
                    "both 0");
  // The columns of a head are far below 2^34, so that nothing overflows.
  if (shape.headIn() > INT32_MAX / shape.numHeads)
    attributes.fail("has too large dims");
  if (!attributes.ok())
    return nullptr;
  return std::make_unique<RestrictedAttentionComponent>(shape, attributes);
}

} // namespace rt
} // namespace nnet3
