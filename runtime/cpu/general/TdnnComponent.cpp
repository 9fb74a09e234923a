//===- TdnnComponent.cpp - Affine map over several time offsets -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 6.1. For each offset i the input rows are
// row_offsets[i] + k * row_stride for output row k.
//
//===----------------------------------------------------------------------===//

#include "TimeOffsets.h"
#include "cpu/Registry.h"
#include "cpu/simple/AffineMap.h"

#include <vector>

namespace nnet3 {
namespace rt {
namespace {

class TdnnComponent : public Component {
public:
  /// \p weights is outputDim x (numOffsets * inputDim). \p preconditioners are
  /// those of the joined inputs and of the output derivative, or none.
  TdnnComponent(int32_t inputDim, int32_t numOffsets, ConstMatrixView weights,
                const float *bias,
                const std::vector<NaturalGradientOptions> &preconditioners,
                const UpdateOptions &updateOptions)
      : Component(inputDim, weights.rows,
                  kUpdatableComponent | kReordersIndexes | kBackpropAdds |
                      kBackpropNeedsInput |
                      (bias ? 0u : uint32_t(kPropagateAdds))),
        numOffsets(numOffsets), hasBias(bias != nullptr) {
    addMatrix("linear_params", weights);
    if (bias)
      addVector("bias_params", bias, weights.rows);
    for (const NaturalGradientOptions &preconditioner : preconditioners)
      addPreconditioner(preconditioner);
    UpdateOptions options = updateOptions;
    options.skipsRateZero = true;
    setUpdateOptions(options);
  }

  std::unique_ptr<CommandPlan> plan(int32_t inRows, int32_t outRows,
                                    AttributeReader *precomputed,
                                    ErrorSink &errors) const override {
    auto plan =
        planTimeOffsets(inRows, outRows, numOffsets, precomputed, errors);
    if (!plan)
      return nullptr;
    plan->backpropScratchBytes =
        affineUpdateScratch(outRows, numOffsets * inputDim(), outputDim(),
                            hasBias, !preconditioners().empty());
    return plan;
  }

  void propagate(const CommandPlan *plan, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &context) const override {
    affineForward(partsOf(plan), in, context.parameters[0],
                  hasBias ? context.parameters[1].data : nullptr, out);
  }

  void backprop(const CommandPlan *plan, const BackpropOperands &operands,
                const RunContext &context) const override {
    if (operands.inDeriv.data)
      affineInDeriv(partsOf(plan), operands.outDeriv, context.parameters[0],
                    operands.inDeriv);
    if (operands.update && operands.update->learningRate != 0)
      affineUpdate(partsOf(plan), operands.inValue, operands.outDeriv,
                   context.scratch, *operands.update);
  }

private:
  static InputParts partsOf(const CommandPlan *plan) {
    return static_cast<const TimeOffsetsPlan *>(plan)->parts();
  }

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
  const auto cols = static_cast<int32_t>(width);
  std::vector<NaturalGradientOptions> preconditioners;
  if (attributes.flag("use_natural_gradient", true))
    preconditioners = {
        readPreconditioner(attributes, "rank_in", "alpha_in", cols, 20),
        readPreconditioner(attributes, "rank_out", "alpha_out", out, 80)};
  return std::make_unique<TdnnComponent>(
      in, static_cast<int32_t>(numOffsets),
      ConstMatrixView(weights, out, cols, width), bias, preconditioners,
      readUpdateOptions(attributes));
}

constexpr ComponentFactory kFactories[] = {{"TdnnComponent", createTdnn}};

} // namespace

FactoryTable tdnnFactories() { return makeTable(kFactories); }

} // namespace rt
} // namespace nnet3
