//===- TdnnComponent.cpp - Affine map over several time offsets -----------===//
//
// Spec: components.md 6.1. For each offset i the input rows are
// row_offsets[i] + k * row_stride for output row k: a strided view, so there is
// one product per offset and no copy.
//
//===----------------------------------------------------------------------===//

#include "Registry.h"
#include "core/Gemm.h"

#include <cstring>
#include <string>
#include <vector>

namespace nnet3 {
namespace runtime {
namespace {

struct TdnnPlan : CommandPlan {
  int32_t rowStride = 1;
  std::vector<int32_t> rowOffsets;
};

class TdnnComponent : public Component {
public:
  /// \p weights is outputDim x (numOffsets * inputDim).
  TdnnComponent(int32_t inputDim, int32_t numOffsets, ConstMatrixView weights,
                const float *bias)
      : Component(inputDim, weights.rows,
                  kUpdatableComponent | kReordersIndexes | kBackpropAdds |
                      kBackpropNeedsInput |
                      (bias ? 0u : uint32_t(kPropagateAdds))),
        numOffsets(numOffsets), hasBias(bias != nullptr) {
    addMatrix("linear_params", weights);
    if (bias)
      addVector("bias_params", bias, weights.rows);
  }

  std::unique_ptr<CommandPlan> plan(int32_t inRows, int32_t outRows,
                                    AttributeReader *precomputed,
                                    ErrorSink &errors) const override {
    if (!precomputed) {
      errors.fail("needs precomputed indexes");
      return nullptr;
    }
    auto plan = std::make_unique<TdnnPlan>();
    plan->rowStride = precomputed->integer("row_stride", 1);
    const IntList offsets = precomputed->ints("row_offsets");
    if (!precomputed->ok())
      return nullptr;
    if (offsets.size() != static_cast<uint32_t>(numOffsets)) {
      errors.fail("expects " + std::to_string(numOffsets) +
                  " row offsets, but got " + std::to_string(offsets.size()));
      return nullptr;
    }
    const int64_t span = int64_t(plan->rowStride) * (outRows - 1);
    for (uint32_t i = 0; i < offsets.size(); ++i) {
      if (offsets[i] < 0 || offsets[i] >= inRows ||
          span >= inRows - offsets[i]) {
        errors.fail("expects row offsets inside of " + std::to_string(inRows) +
                    " input rows, but got " + std::to_string(offsets[i]) +
                    " with stride " + std::to_string(plan->rowStride) +
                    " for " + std::to_string(outRows) + " output rows");
        return nullptr;
      }
      plan->rowOffsets.push_back(static_cast<int32_t>(offsets[i]));
    }
    return plan;
  }

  void propagate(const CommandPlan *anyPlan, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &context) const override {
    const auto &plan = static_cast<const TdnnPlan &>(*anyPlan);
    const ConstMatrixView &weights = context.parameters[0];
    if (hasBias)
      for (int32_t r = 0; r < out.rows; ++r)
        std::memcpy(out.row(r), context.parameters[1].data,
                    sizeof(float) * out.cols);
    for (int32_t i = 0; i < numOffsets; ++i) {
      const ConstMatrixView part(in.row(plan.rowOffsets[i]), out.rows, in.cols,
                                 in.stride * plan.rowStride);
      const ConstMatrixView block(weights.data + int64_t(i) * in.cols,
                                  weights.rows, in.cols, weights.stride);
      gemmNT(part, block, 1.0f, out);
    }
  }

private:
  int32_t numOffsets;
  bool hasBias;
};

std::unique_ptr<Component> createTdnn(AttributeReader &attributes) {
  const int32_t in = attributes.dim("input_dim");
  const int32_t out = attributes.dim("output_dim");
  const int64_t numOffsets = attributes.ints("time_offsets").size();
  const int64_t width = numOffsets * in;
  if (numOffsets == 0 || width > INT32_MAX)
    attributes.fail("has no time offsets, or too many");
  if (!attributes.ok())
    return nullptr;
  const float *weights = attributes.tensor("linear_params", {out, width});
  const float *bias = attributes.has("bias_params")
                          ? attributes.tensor("bias_params", {out})
                          : nullptr;
  return std::make_unique<TdnnComponent>(
      in, static_cast<int32_t>(numOffsets),
      ConstMatrixView(weights, out, static_cast<int32_t>(width), width), bias);
}

constexpr ComponentFactory kFactories[] = {{"TdnnComponent", createTdnn}};

} // namespace

FactoryTable tdnnFactories() { return makeTable(kFactories); }

} // namespace runtime
} // namespace nnet3
