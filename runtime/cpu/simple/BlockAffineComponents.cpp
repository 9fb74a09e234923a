//===- BlockAffineComponents.cpp - Affine maps of blocks ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BlockAffine, RepeatedAffine, NaturalGradientRepeatedAffine (spec:
// components.md 6.40-6.42). Rows of the input and of the output have equal
// numbers of blocks; each block has its own map, or all share one.
//
//===----------------------------------------------------------------------===//

#include "AffineMap.h"
#include "core/ComponentAttributes.h"
#include "core/Gemm.h"
#include "cpu/RowCommands.h"

#include <algorithm>
#include <limits>
#include <string>

namespace nnet3 {
namespace rt {
namespace {

/// Rows \p begin to \p begin + \p rows - 1 of \p matrix.
template <typename Scalar>
BasicMatrixView<Scalar> rowsFrom(const BasicMatrixView<Scalar> &matrix,
                                 int64_t begin, int32_t rows) {
  return BasicMatrixView<Scalar>(matrix.row(begin), rows, matrix.cols,
                                 matrix.stride);
}

/// Adds \p alpha times the sum of the rows of \p rows to \p sum.
void addSum(ConstMatrixView rows, float alpha, float *sum) {
  const int32_t begin = 0, end = rows.rows;
  addRowRanges(MatrixView(sum, 1, rows.cols, rows.cols), rows, &begin, &end,
               /*step=*/1, alpha);
}

class BlockAffineComponent : public Component {
public:
  /// \p isRepeated: all blocks share the weights and the bias of one map.
  template <typename Attributes>
  BlockAffineComponent(const Attributes &attributes, int32_t numBlocks,
                       bool isRepeated)
      : Component(attributes), numBlocks(numBlocks), isRepeated(isRepeated),
        blockRows(outputDim() / numBlocks) {
    const int32_t rows = isRepeated ? blockRows : outputDim();
    const int32_t cols = inputDim() / numBlocks;
    addMatrix("linear_params",
              ConstMatrixView(attributes.linearParams(), rows, cols, cols));
    addVector("bias_params", attributes.biasParams(), rows);
    setUpdateOptions(readUpdateOptions(attributes));
  }

  void precondition(const NaturalGradientOptions &options) {
    addPreconditioner(options);
  }

  std::unique_ptr<CommandPlan> plan(int32_t inRows, int32_t outRows,
                                    AttributeReader *precomputed,
                                    ErrorSink &errors) const override {
    Component::plan(inRows, outRows, precomputed, errors);
    auto plan = std::make_unique<CommandPlan>();
    if (!preconditioners().empty())
      plan->backpropScratchBytes =
          sizeof(float) * uint64_t(blockRows) * (gradientCols() + 1);
    return plan;
  }

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &context) const override {
    forEachBlock(in, out, [&](ConstMatrixView x, MatrixView y, int32_t map) {
      affineForward(wholeInput(), x, weightsOf(context.parameters[0], map),
                    context.parameters[1].data + int64_t(map) * blockRows, y);
    });
  }

  bool preconditionsRows() const override { return false; }

  void backprop(const CommandPlan *, const BackpropOperands &operands,
                const RunContext &context) const override {
    if (operands.inDeriv.data)
      forEachBlock(operands.outDeriv, operands.inDeriv,
                   [&](ConstMatrixView dy, MatrixView dx, int32_t map) {
                     affineInDeriv(wholeInput(), dy,
                                   weightsOf(context.parameters[0], map), dx);
                   });
    if (!operands.update)
      return;
    if (preconditioners().empty() || operands.update->isGradient)
      plainUpdate(operands, *operands.update);
    else
      preconditionedUpdate(operands, static_cast<float *>(context.scratch),
                           *operands.update);
  }

private:
  int32_t gradientCols() const { return inputDim() / numBlocks + 1; }

  template <typename Scalar>
  BasicMatrixView<Scalar> weightsOf(const BasicMatrixView<Scalar> &weights,
                                    int32_t map) const {
    return rowsFrom(weights, int64_t(map) * blockRows, blockRows);
  }

  /// Calls f(a, b, map) for the rows of each map: once per block, or once for
  /// all blocks if they share a map and are contiguous in memory.
  template <typename Scalar, typename Function>
  void forEachBlock(const ConstMatrixView &a, const BasicMatrixView<Scalar> &b,
                    Function f) const {
    const int32_t aCols = a.cols / numBlocks, bCols = b.cols / numBlocks;
    const int64_t blocks = int64_t(a.rows) * numBlocks;
    if (isRepeated && a.isContiguous() && b.isContiguous() &&
        blocks <= std::numeric_limits<int32_t>::max()) {
      const auto rows = static_cast<int32_t>(blocks);
      f(ConstMatrixView(a.data, rows, aCols, aCols),
        BasicMatrixView<Scalar>(b.data, rows, bCols, bCols), 0);
      return;
    }
    for (int32_t i = 0; i < numBlocks; ++i)
      f(a.columns(int64_t(i) * aCols, aCols),
        b.columns(int64_t(i) * bCols, bCols), isRepeated ? 0 : i);
  }

  void plainUpdate(const BackpropOperands &operands,
                   ComponentState &state) const {
    const float rate = state.learningRate;
    if (rate == 0)
      return;
    forEachBlock(operands.outDeriv, operands.inValue,
                 [&](ConstMatrixView dy, ConstMatrixView x, int32_t map) {
                   gemmTN(dy, x, rate, weightsOf(state.parameters[0], map));
                   addSum(dy, rate,
                          state.parameters[1].data + int64_t(map) * blockRows);
                 });
  }

  /// Preconditions the gradient [dW db] of the shared map itself, not its
  /// factors.
  void preconditionedUpdate(const BackpropOperands &operands, float *scratch,
                            ComponentState &state) const {
    const int32_t cols = gradientCols();
    const MatrixView gradient(scratch, blockRows, cols, cols);
    float *biasGradient = scratch + int64_t(blockRows) * cols;
    std::fill_n(scratch, int64_t(blockRows) * (cols + 1), 0.0f);
    forEachBlock(operands.outDeriv, operands.inValue,
                 [&](ConstMatrixView dy, ConstMatrixView x, int32_t) {
                   gemmTN(dy, x, 1, gradient.columns(0, cols - 1));
                   addSum(dy, 1, biasGradient);
                 });
    for (int32_t r = 0; r < blockRows; ++r)
      gradient.row(r)[cols - 1] = biasGradient[r];
    double rate = state.learningRate * sumGradient(state, gradient);
    rate *= state.preconditioners[0]->precondition(gradient);
    const auto scale = static_cast<float>(rate);
    if (state.learningRate == 0) // only the preconditioner was updated
      return;
    rt::addMatrix(state.parameters[0], gradient.columns(0, cols - 1), scale);
    for (int32_t r = 0; r < blockRows; ++r)
      state.parameters[1].data[r] += scale * gradient.row(r)[cols - 1];
  }

  int32_t numBlocks;
  bool isRepeated;
  int32_t blockRows; ///< outputs of a block
};

} // namespace

std::unique_ptr<Component> create(const BlockAffineAttributes &attributes) {
  return std::make_unique<BlockAffineComponent>(
      attributes, attributes.numBlocks(), /*isRepeated=*/false);
}

std::unique_ptr<Component> create(const RepeatedAffineAttributes &attributes) {
  return std::make_unique<BlockAffineComponent>(
      attributes, attributes.numRepeats(), /*isRepeated=*/true);
}

std::unique_ptr<Component>
create(const NaturalGradientRepeatedAffineAttributes &attributes) {
  const int32_t numBlocks = attributes.numRepeats();
  auto component = std::make_unique<BlockAffineComponent>(attributes, numBlocks,
                                                          /*isRepeated=*/true);
  NaturalGradientOptions options;
  const int32_t blockDim = attributes.inputDim() / numBlocks;
  options.rank = std::max(std::min(40, blockDim / 2), 1);
  options.updatePeriod = 4;
  component->precondition(options);
  return component;
}

} // namespace rt
} // namespace nnet3
