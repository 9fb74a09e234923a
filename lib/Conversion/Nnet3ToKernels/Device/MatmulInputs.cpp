//===- MatmulInputs.cpp - How matmuls read their rows ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MatmulInputs.h"

#include "nnet3/Dialect/Nnet3/Analysis/MatrixWindow.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Cost of launching a matmul, in floats that a device could have moved: the
/// latency of a launch and of short reductions.
static constexpr int64_t kLaunchFloats = int64_t(4) << 20;
/// Limits for splitting rows: parts with few rows do not fill a tile.
static constexpr int64_t kMaxParts = 8, kMinPartRows = 2;

/// Matmuls with fewer columns or terms are as fast in f32.
static constexpr int64_t kFewestHalves = 16;

static std::optional<RowBatches> getRows(FusedAffineOp op, unsigned input) {
  return getBatches(cast<RowTableAttr>(op.getRows()[input]));
}

/// Offset of the first row of an input in its matrix.
static int64_t getBegin(FusedAffineOp op, unsigned input,
                        const RowBatches &rows) {
  Value source = op.getInputs()[input];
  MatrixWindow window = MatrixWindow::get(source);
  return (window.row + rows.first) * getRowStride(source) + window.col;
}

static Value getMatrix(Value view) { return MatrixWindow::get(view).matrix; }

static bool haveSameSteps(const RowBatches &a, const RowBatches &b) {
  return a.rows == b.rows && a.step == b.step && a.batches == b.batches &&
         a.distance == b.distance;
}

/// Whether the weights of input `next` follow those of the previous input.
static bool hasNextWeights(FusedAffineOp op, unsigned next) {
  return op.getColumns()[next] ==
         op.getColumns()[next - 1] + numCols(op.getInputs()[next - 1]);
}

OverlappingRows mlir::nnet3::getOverlappingRows(const MatmulInputs &inputs,
                                                int64_t inputStride) {
  const int64_t distance = inputs.rows.step * inputStride;
  const int64_t parts = llvm::divideCeil(inputs.depth, distance);
  return {parts, int64_t(llvm::divideCeil(inputs.rows.rows, parts))};
}

/// Whether the rows that are written past the last output row are past the end
/// of its matrix.
static bool canOverlap(FusedAffineOp op, const MatmulInputs &inputs) {
  Value output = op.getOutput();
  MatrixWindow window = MatrixWindow::get(output);
  const OverlappingRows overlapping =
      getOverlappingRows(inputs, getRowStride(op.getInputs()[inputs.first]));
  return overlapping.parts <= kMaxParts && overlapping.rows >= kMinPartRows &&
         (inputs.rows.rows % overlapping.parts == 0 ||
          window.row + window.rows == window.matrixRows());
}

/// Extends input `first` by the inputs whose rows continue it in memory.
static MatmulInputs overlap(FusedAffineOp op, unsigned first,
                            const RowBatches &rows) {
  MatmulInputs result = {MatmulInputs::Kind::InPlace, first, 1,
                         numCols(op.getInputs()[first]), rows};
  if (rows.batches > 1)
    return result;
  const int64_t begin = getBegin(op, first, rows);
  for (unsigned i = first + 1; i < op.getInputs().size(); ++i) {
    auto next = getRows(op, i);
    MatmulInputs longer = result;
    longer.kind = MatmulInputs::Kind::Overlapping;
    longer.depth += numCols(op.getInputs()[i]);
    ++longer.count;
    if (!next || !haveSameSteps(*next, rows) || !hasNextWeights(op, i) ||
        getMatrix(op.getInputs()[i]) != getMatrix(op.getInputs()[first]) ||
        getBegin(op, i, *next) != begin + result.depth ||
        !canOverlap(op, longer))
      break;
    result = longer;
  }
  return result;
}

/// Whether copying `inputs` moves less data than further matmuls would.
static bool isCopyCheaper(FusedAffineOp op, const MatmulInputs &inputs,
                          const MatmulTarget &target) {
  const int64_t rows = numRows(op.getOutput());
  return 2 * rows * inputs.depth <
         (inputs.count - 1) * (2 * rows * numCols(op.getOutput()) +
                               (target.launches ? kLaunchFloats : 0));
}

/// Extends input `first` by inputs of the same width and row distance.
static MatmulInputs splice(FusedAffineOp op, unsigned first,
                           const RowBatches &rows) {
  Value source = op.getInputs()[first];
  MatmulInputs result = {MatmulInputs::Kind::Spliced, first, 1, numCols(source),
                         rows};
  for (unsigned i = first + 1; i < op.getInputs().size(); ++i) {
    Value other = op.getInputs()[i];
    auto next = getRows(op, i);
    if (!next || !haveSameSteps(*next, rows) || !hasNextWeights(op, i) ||
        numCols(other) != numCols(source) ||
        getRowStride(other) != getRowStride(source))
      break;
    result.depth += numCols(other);
    ++result.count;
  }
  return result;
}

/// Whether an input and its weights can be stored in 16 bits: needs enough
/// columns, and groups of four, since a thread converts four elements.
static bool canBeHalves(FusedAffineOp op, unsigned input,
                        const RowBatches &rows) {
  Value source = op.getInputs()[input];
  return numCols(op.getOutput()) >= kFewestHalves &&
         numCols(source) >= kFewestHalves && numCols(source) % 4 == 0 &&
         getRowStride(source) % 4 == 0 && getBegin(op, input, rows) % 4 == 0 &&
         op.getColumns()[input] % 2 == 0;
}

SmallVector<MatmulInputs>
mlir::nnet3::getMatmulInputs(FusedAffineOp op, const MatmulTarget &target) {
  SmallVector<MatmulInputs> result;
  for (unsigned i = 0; i < op.getInputs().size(); i += result.back().count) {
    auto rows = getRows(op, i);
    if (!rows) {
      result.push_back(
          {MatmulInputs::Kind::Gathered, i, 1, numCols(op.getInputs()[i])});
      continue;
    }
    if (hasHalves(target.precision) && canBeHalves(op, i, *rows)) {
      MatmulInputs inputs = splice(op, i, *rows);
      inputs.precision = target.precision;
      // The other inputs can differ from the first only in their offsets.
      for (unsigned j = 1; j < inputs.count; ++j)
        if (!canBeHalves(op, i + j, *getRows(op, i + j))) {
          inputs.count = j;
          inputs.depth = j * numCols(op.getInputs()[i]);
        }
      result.push_back(inputs);
      continue;
    }
    MatmulInputs inputs = overlap(op, i, *rows);
    if (inputs.count == 1)
      if (MatmulInputs spliced = splice(op, i, *rows);
          spliced.count > 1 && isCopyCheaper(op, spliced, target))
        inputs = spliced;
    result.push_back(inputs);
  }
  return result;
}

int64_t MatmulInputs::getScratchSize(FusedAffineOp op) const {
  return kind == Kind::Gathered || kind == Kind::Spliced
             ? numRows(op.getOutput()) * depth / getNumbersPerWord(precision)
             : 0;
}

Padding mlir::nnet3::getPadding(ComputationOp computation,
                                const MatmulTarget &target) {
  Padding padding;
  for (auto op : computation.getBody().getOps<FusedAffineOp>())
    for (const MatmulInputs &inputs : getMatmulInputs(op, target)) {
      if (inputs.kind != MatmulInputs::Kind::Overlapping)
        continue;
      const int64_t stride = getRowStride(op.getInputs()[inputs.first]);
      const OverlappingRows overlapping = getOverlappingRows(inputs, stride);
      const int64_t more =
          overlapping.parts * overlapping.rows - inputs.rows.rows;
      int64_t &behind = padding.matrices[getMatrix(op.getOutput())];
      behind = std::max(behind, more * getRowStride(op.getOutput()));
      padding.end = std::max(padding.end, more * inputs.rows.step * stride);
    }
  return padding;
}
