//===- AffineBackward.cpp - Backward passes of affine components ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BackwardConverter.h"
#include "TimeRows.h"

#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Adds the column sums of the output derivative to the bias gradient.
void BackwardConverter::addBias(BackpropOp op, AffineKernelInterface affine) {
  const Value deriv = op.getOutputDeriv();
  const int64_t biases = affine.getNumBiases();
  const int64_t dest = builder.getGradient(op, affine.getBiasName(), 1, biases);
  builder.addColumns(
      {context.arena.getOffset(deriv), numRows(deriv),
       affine.getNumBlocks() * affine.getWeightRows(), getRowStride(deriv)},
      biases, dest, builder.addsTo(ArenaRows{dest, 1, biases, biases}));
}

/// Returns the offset of the weight gradient of a block from column `column`
/// on. If each block has its own weights, they follow each other and are as
/// wide as the block's input.
int64_t BackwardConverter::getWeightsGradient(BackpropOp op,
                                              AffineKernelInterface affine,
                                              int64_t block, int64_t column) {
  const int64_t rows = affine.getWeightRows();
  const int64_t columns = affine.getWeightColumns();
  if (!affine.hasWeightsPerBlock())
    return builder.getGradient(op, affine.getWeightsName(), rows, columns) +
           column;
  const int64_t blocks = affine.getNumBlocks();
  return builder.getGradient(op, affine.getWeightsName(), rows * blocks,
                             columns / blocks) +
         block * rows * (columns / blocks);
}

namespace {
/// A matmul that contributes to the derivative of the input.
struct InputTerm {
  int64_t block;
  AffineTerm term;
  TimeRows rows;
  bool adds; ///< false: writes
};
} // namespace

/// Returns the contributions to the input derivative in order. If `writes`, the
/// derivative holds no other values: the first contribution to an element is
/// written, and the parts that must be zero-filled for the others go to
/// `zeros`.
static SmallVector<InputTerm> getInputTerms(BackpropOp op,
                                            AffineKernelInterface affine,
                                            bool writes,
                                            SmallVector<WrittenPart> &zeros) {
  const SmallVector<TimeRows> times = getTimeRows(op);
  const Value inDeriv = op.getInputDeriv();
  SmallVector<InputTerm> terms;
  for (int64_t block = 0; block < affine.getNumBlocks(); ++block)
    for (const AffineTerm &term : affine.getTerms(block))
      terms.push_back({block, term, times[term.time], /*adds=*/true});
  if (!writes)
    return terms;
  WrittenParts written(numRows(inDeriv), numCols(inDeriv));
  for (InputTerm &input : terms)
    input.adds =
        !written.put({input.rows.first, numRows(op.getOutputDeriv()),
                      input.term.input, input.term.columns, input.rows.step});
  zeros = written.getZeros();
  return terms;
}

/// With Y = 1 b^T + sum_i X_i W_i^T: dX_i += dY W_i, dW_i += dY^T X_i.
void BackwardConverter::convertAffine(BackpropOp op,
                                      AffineKernelInterface affine,
                                      bool addsGradient) {
  ComponentOpInterface component = context.components.find(op.getComponent());
  const Value deriv = op.getOutputDeriv(), inDeriv = op.getInputDeriv(),
              input = op.getInputValue();
  const int64_t width = affine.getWeightRows();
  const int64_t weightColumns = affine.getWeightColumns();
  SmallVector<WrittenPart> zeros;
  const bool writes = inDeriv && !addsToInputDerivative(op);
  const auto terms = getInputTerms(op, affine, writes, zeros);
  if (zeros.size() > kMostZeroParts)
    zeros = {{0, numRows(inDeriv), 0, numCols(inDeriv)}};
  for (const WrittenPart &part : zeros)
    context.kernels.createFill({context.arena.getOffset(inDeriv) +
                                    part.firstRow * getRowStride(inDeriv) +
                                    part.firstColumn,
                                part.rows, part.columns, getRowStride(inDeriv)},
                               0);
  auto getDerivative = [&](const InputTerm &input) -> ArenaRows {
    return {context.arena.getOffset(deriv) + input.block * width,
            numRows(deriv), width, getRowStride(deriv)};
  };
  auto getRows = [&](Value matrix, const InputTerm &input) -> ArenaRows {
    const int64_t stride = getRowStride(matrix);
    return {context.arena.getOffset(matrix) + input.rows.first * stride +
                input.term.input,
            numRows(deriv), input.term.columns, input.rows.step * stride};
  };
  const int64_t gradientStride = affine.hasWeightsPerBlock()
                                     ? weightColumns / affine.getNumBlocks()
                                     : weightColumns;
  if (addsGradient)
    for (const InputTerm &each : terms) {
      const ArenaRows dest = {
          getWeightsGradient(op, affine, each.block, each.term.weights), width,
          each.term.columns, gradientStride};
      builder.addRowProduct(getDerivative(each), getRows(input, each), dest,
                            builder.addsTo(dest));
    }
  // Products of several time offsets follow each other (kernel-pack-by-panel).
  if (inDeriv)
    for (const InputTerm &each : terms) {
      const ArenaRows y = getDerivative(each), dest = getRows(inDeriv, each);
      const int64_t weights =
          context.module.weights.getMatrix(component, /*folded=*/{}) +
          each.term.weights;
      context.kernels.createMatmul(
          kernel::MatmulFactors::NN,
          context.kernels.createWeights(weights, width, each.term.columns,
                                        weightColumns),
          context.kernels.createBatch({y.place, y.rows, y.stride}, width),
          context.kernels.createBatch({dest.place, y.rows, dest.stride},
                                      each.term.columns),
          each.adds);
    }
  if (addsGradient && affine.getBiasName())
    addBias(op, affine);
}
