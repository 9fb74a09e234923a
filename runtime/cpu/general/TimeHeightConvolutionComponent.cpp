//===- TimeHeightConvolutionComponent.cpp - Convolution -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 6.11. For an output height and a time offset, the inputs
// at neighbouring heights are neighbouring columns, and so are their weights.
// All rows of that height are therefore one matmul of views, without copies.
//
//===----------------------------------------------------------------------===//

#include "TimeOffsets.h"
#include "core/ComponentAttributes.h"
#include "core/Gemm.h"
#include "cpu/math/Rows.h"
#include "cpu/math/VectorMath.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace nnet3 {
namespace rt {
namespace {

/// Offsets with the same time and consecutive heights.
struct HeightRun {
  int32_t time; ///< position of the time offset
  int32_t firstHeight;
  int32_t count;
  int32_t paramCol; ///< first column of the weights
};

struct ConvolutionShape {
  int32_t filtersIn, filtersOut;
  int32_t heightIn, heightOut;
  int32_t heightSubsampleOut;
  int32_t numTimes = 0;
  int32_t paramCols = 0;
  std::vector<HeightRun> runs;

  /// Reads pairs (time, height) in ascending order.
  void readOffsets(AttributeReader &attributes);
};

/// The operands of one matmul.
struct Product {
  int32_t time;
  int32_t inCol, cols; ///< of the input, and of the weights
  int32_t outCol;
  int32_t paramCol;
};

class TimeHeightConvolutionComponent : public Component {
public:
  TimeHeightConvolutionComponent(
      ConvolutionShape convolution,
      const TimeHeightConvolutionAttributes &attributes);

  std::unique_ptr<CommandPlan> plan(int32_t inRows, int32_t outRows,
                                    AttributeReader *precomputed,
                                    ErrorSink &errors) const override;
  void checkTraining(ErrorSink &errors) const override;

  void propagate(const CommandPlan *plan, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &context) const override;
  bool preconditionsRows() const override { return false; }

  void backprop(const CommandPlan *plan, const BackpropOperands &operands,
                const RunContext &context) const override;

private:
  template <typename Function> void forEachProduct(Function f) const;
  void addGradient(const InputParts &parts, const BackpropOperands &operands,
                   float scale, MatrixView weights) const;
  void sumBias(ConstMatrixView outDeriv, double *sums) const;
  void update(const InputParts &parts, const BackpropOperands &operands,
              void *scratch) const;
  void updatePreconditioned(const InputParts &parts,
                            const BackpropOperands &operands,
                            const double *sums, float *scratch) const;

  ConvolutionShape shape;
};

} // namespace

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

void ConvolutionShape::readOffsets(AttributeReader &attributes) {
  const IntList offsets = attributes.ints("offsets");
  const int64_t count = offsets.size() / 2;
  if (count == 0 || offsets.size() % 2 != 0 || count * filtersIn > INT32_MAX)
    return attributes.fail("has no offsets, or too many");
  paramCols = static_cast<int32_t>(count * filtersIn);
  constexpr int64_t kLimit = 1 << 30;
  for (int32_t i = 0; i < count; ++i) {
    const int64_t time = offsets[2 * i], height = offsets[2 * i + 1];
    if (height < -kLimit || height > kLimit)
      return attributes.fail("has too large an offset");
    const bool sameTime = i > 0 && time == offsets[2 * i - 2];
    if (!sameTime)
      ++numTimes;
    if (sameTime && height == offsets[2 * i - 1] + 1)
      ++runs.back().count;
    else
      runs.push_back(
          {numTimes - 1, static_cast<int32_t>(height), 1, i * filtersIn});
  }
}

/// Calls \p f for all matmuls, whose outputs overlap.
template <typename Function>
void TimeHeightConvolutionComponent::forEachProduct(Function f) const {
  for (int32_t height = 0; height < shape.heightOut; ++height)
    for (const HeightRun &run : shape.runs) {
      // The part of the run inside the image; other inputs are zero.
      const int64_t first =
          int64_t(height) * shape.heightSubsampleOut + run.firstHeight;
      const int64_t begin = std::max<int64_t>(first, 0);
      const int64_t end = std::min<int64_t>(first + run.count, shape.heightIn);
      if (begin >= end)
        continue;
      Product product;
      product.time = run.time;
      product.inCol = static_cast<int32_t>(begin) * shape.filtersIn;
      product.cols = static_cast<int32_t>(end - begin) * shape.filtersIn;
      product.outCol = height * shape.filtersOut;
      product.paramCol =
          run.paramCol + static_cast<int32_t>(begin - first) * shape.filtersIn;
      f(product);
    }
}

/// Returns the options for preconditioning the gradient's rows or columns. The
/// history is counted in minibatches, because each has one gradient.
static NaturalGradientOptions
makeOptions(const TimeHeightConvolutionAttributes &attributes, int32_t rank,
            float alpha) {
  NaturalGradientOptions options =
      checkedPreconditioner(attributes, rank, /*updatePeriod=*/1, alpha);
  options.numMinibatchesHistory = attributes.numMinibatchesHistory();
  return options;
}

TimeHeightConvolutionComponent::TimeHeightConvolutionComponent(
    ConvolutionShape convolution,
    const TimeHeightConvolutionAttributes &attributes)
    : Component(attributes), shape(std::move(convolution)) {
  addMatrix("linear_params",
            ConstMatrixView(attributes.linearParams(), shape.filtersOut,
                            shape.paramCols, shape.paramCols));
  addVector("bias_params", attributes.biasParams(), shape.filtersOut);
  if (attributes.useNaturalGradient()) {
    addPreconditioner(
        makeOptions(attributes, attributes.rankIn(), attributes.alphaIn()));
    addPreconditioner(
        makeOptions(attributes, attributes.rankOut(), attributes.alphaOut()));
  }
  UpdateOptions options = readUpdateOptions(attributes);
  options.skipsRateZero = true;
  setUpdateOptions(options);
}

std::unique_ptr<CommandPlan>
TimeHeightConvolutionComponent::plan(int32_t inRows, int32_t outRows,
                                     AttributeReader *precomputed,
                                     ErrorSink &errors) const {
  auto plan =
      planTimeOffsets(inRows, outRows, shape.numTimes, precomputed, errors);
  if (!plan)
    return nullptr;
  const int64_t cols = shape.paramCols + 1, filters = shape.filtersOut;
  plan->backpropScratchBytes = sizeof(double) * paddedCols(filters);
  if (!preconditioners().empty())
    plan->backpropScratchBytes += sizeof(float) * (filters * paddedCols(cols) +
                                                   cols * paddedCols(filters));
  return plan;
}

void TimeHeightConvolutionComponent::checkTraining(ErrorSink &errors) const {
  for (const NaturalGradientOptions &options : preconditioners()) {
    const float history = options.numMinibatchesHistory;
    if (history != 0 && !(history > 1 && history < 1e6f))
      errors.fail("expects num_minibatches_history of 0, or above 1 and below "
                  "1e6, but got " +
                  std::to_string(history));
  }
}

//===----------------------------------------------------------------------===//
// Forward and backward
//===----------------------------------------------------------------------===//

static InputParts partsOf(const CommandPlan *plan) {
  return static_cast<const TimeOffsetsPlan *>(plan)->parts();
}

void TimeHeightConvolutionComponent::propagate(
    const CommandPlan *plan, ConstMatrixView in, MatrixView out, void *,
    const RunContext &context) const {
  const InputParts parts = partsOf(plan);
  const ConstMatrixView &weights = context.parameters[0];
  const float *bias = context.parameters[1].data;
  for (int32_t r = 0; r < out.rows; ++r)
    for (int32_t height = 0; height < shape.heightOut; ++height)
      std::memcpy(out.row(r) + int64_t(height) * shape.filtersOut, bias,
                  sizeof(float) * shape.filtersOut);
  forEachProduct([&](const Product &p) {
    gemmNT(parts.part(in, p.time, out.rows).columns(p.inCol, p.cols),
           weights.columns(p.paramCol, p.cols), 1.0f,
           out.columns(p.outCol, shape.filtersOut));
  });
}

void TimeHeightConvolutionComponent::backprop(const CommandPlan *plan,
                                              const BackpropOperands &operands,
                                              const RunContext &context) const {
  const InputParts parts = partsOf(plan);
  const ConstMatrixView &outDeriv = operands.outDeriv;
  if (operands.inDeriv.data)
    forEachProduct([&](const Product &p) {
      gemmNN(outDeriv.columns(p.outCol, shape.filtersOut),
             context.parameters[0].columns(p.paramCol, p.cols), 1.0f, 1.0f,
             parts.part(operands.inDeriv, p.time, outDeriv.rows)
                 .columns(p.inCol, p.cols));
    });
  if (operands.update && operands.update->learningRate != 0)
    update(parts, operands, context.scratch);
}

//===----------------------------------------------------------------------===//
// Update
//===----------------------------------------------------------------------===//

/// Adds \p scale times the gradient to \p weights.
void TimeHeightConvolutionComponent::addGradient(
    const InputParts &parts, const BackpropOperands &operands, float scale,
    MatrixView weights) const {
  const ConstMatrixView &outDeriv = operands.outDeriv;
  forEachProduct([&](const Product &p) {
    gemmTN(outDeriv.columns(p.outCol, shape.filtersOut),
           parts.part(operands.inValue, p.time, outDeriv.rows)
               .columns(p.inCol, p.cols),
           scale, weights.columns(p.paramCol, p.cols));
  });
}

/// Computes the gradient of the bias.
void TimeHeightConvolutionComponent::sumBias(ConstMatrixView outDeriv,
                                             double *sums) const {
  std::fill_n(sums, shape.filtersOut, 0.0);
  for (int32_t height = 0; height < shape.heightOut; ++height)
    vecAddRows(shape.filtersOut, outDeriv.rows, outDeriv.stride,
               outDeriv.data + int64_t(height) * shape.filtersOut, sums);
}

void TimeHeightConvolutionComponent::update(const InputParts &parts,
                                            const BackpropOperands &operands,
                                            void *scratch) const {
  ComponentState &state = *operands.update;
  auto *sums = static_cast<double *>(scratch);
  sumBias(operands.outDeriv, sums);
  if (!state.isGradient && !state.preconditioners.empty())
    return updatePreconditioned(
        parts, operands, sums,
        reinterpret_cast<float *>(sums + paddedCols(shape.filtersOut)));
  addGradient(parts, operands, state.learningRate, state.parameters[0]);
  for (int32_t f = 0; f < shape.filtersOut; ++f)
    state.parameters[1].data[f] +=
        static_cast<float>(state.learningRate * sums[f]);
}

/// Preconditions the rows and then the columns of the gradient itself (spec:
/// components.md 6.11.3).
void TimeHeightConvolutionComponent::updatePreconditioned(
    const InputParts &parts, const BackpropOperands &operands,
    const double *sums, float *scratch) const {
  ComponentState &state = *operands.update;
  const int32_t filters = shape.filtersOut, cols = shape.paramCols + 1;
  const MatrixView gradient(scratch, filters, cols, paddedCols(cols));
  const MatrixView transposed(scratch + filters * gradient.stride, cols,
                              filters, paddedCols(filters));
  std::fill_n(gradient.data, filters * gradient.stride, 0.0f);
  addGradient(parts, operands, 1.0f, gradient.columns(0, shape.paramCols));
  for (int32_t f = 0; f < filters; ++f)
    gradient.row(f)[shape.paramCols] = static_cast<float>(sums[f]);
  double scale = sumGradient(state, gradient);
  scale *= state.preconditioners[0]->precondition(gradient);
  for (int32_t f = 0; f < filters; ++f)
    for (int32_t c = 0; c < cols; ++c)
      transposed.row(c)[f] = gradient.row(f)[c];
  scale *= state.preconditioners[1]->precondition(transposed);
  const auto rate = static_cast<float>(state.learningRate * scale);
  const MatrixView &weights = state.parameters[0];
  for (int32_t f = 0; f < filters; ++f) {
    for (int32_t c = 0; c < shape.paramCols; ++c)
      weights.row(f)[c] += rate * transposed.row(c)[f];
    state.parameters[1].data[f] += rate * transposed.row(shape.paramCols)[f];
  }
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

std::unique_ptr<Component>
create(const TimeHeightConvolutionAttributes &attributes) {
  ConvolutionShape shape;
  shape.filtersIn = attributes.numFiltersIn();
  shape.filtersOut = attributes.numFiltersOut();
  shape.heightIn = attributes.heightIn();
  shape.heightOut = attributes.heightOut();
  shape.heightSubsampleOut = attributes.heightSubsampleOut();
  shape.readOffsets(attributes);
  if (shape.paramCols == INT32_MAX)
    attributes.fail("has too many parameters");
  if (!attributes.ok())
    return nullptr;
  return std::make_unique<TimeHeightConvolutionComponent>(std::move(shape),
                                                          attributes);
}

} // namespace rt
} // namespace nnet3
