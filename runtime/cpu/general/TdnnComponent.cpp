//===- TdnnComponent.cpp - Affine map over several time offsets -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 6.1. For each offset i the input rows are
// row_offsets[i] + k * row_stride for output row k.
//
//===----------------------------------------------------------------------===//

#include "TimeOffsets.h"
#include "core/ComponentAttributes.h"
#include "cpu/simple/AffineMap.h"

#include <vector>

namespace nnet3 {
namespace rt {
namespace {

class TdnnComponent : public Component {
public:
  TdnnComponent(const TdnnAttributes &attributes, int32_t numOffsets)
      : Component(attributes), numOffsets(numOffsets) {
    const int32_t cols = numOffsets * inputDim();
    addMatrix("linear_params", ConstMatrixView(attributes.linearParams(),
                                               outputDim(), cols, cols));
    const float *bias = attributes.biasParams();
    hasBias = bias != nullptr;
    if (bias)
      addVector("bias_params", bias, outputDim());
    if (attributes.useNaturalGradient()) {
      addPreconditioner(attributes, attributes.rankIn(), attributes.alphaIn());
      addPreconditioner(attributes, attributes.rankOut(),
                        attributes.alphaOut());
    }
    UpdateOptions options = readUpdateOptions(attributes);
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

  using Component::addPreconditioner;
  /// Adds a preconditioner of the joined inputs, or of the output derivative.
  void addPreconditioner(const TdnnAttributes &attributes, int32_t rank,
                         float alpha) {
    addPreconditioner(checkedPreconditioner(attributes, rank,
                                            /*updatePeriod=*/4, alpha,
                                            attributes.numSamplesHistory()));
  }

  int32_t numOffsets;
  bool hasBias;
};

} // namespace

std::unique_ptr<Component> create(const TdnnAttributes &attributes) {
  const int64_t numOffsets = attributes.timeOffsets().size();
  if (numOffsets == 0 || numOffsets * attributes.inputDim() > INT32_MAX)
    attributes.fail("has no time offsets, or too many");
  if (!attributes.ok())
    return nullptr;
  return std::make_unique<TdnnComponent>(attributes,
                                         static_cast<int32_t>(numOffsets));
}

} // namespace rt
} // namespace nnet3
