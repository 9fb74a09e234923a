//===- RestrictedAttentionComponent.cpp - Restricted attention ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TimeGrid.h"

#include "mlir/IR/Builders.h"
#include <cmath>
#include <limits>
#include <numeric>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::detail;

float RestrictedAttentionOp::getActualKeyScale() {
  if (std::optional<APFloat> scale = getKeyScale())
    return scale->convertToFloat();
  return float(1.0 / std::sqrt(double(getKeyDim())));
}

int64_t RestrictedAttentionOp::countMultiplyAdds() {
  return getNumHeads() * getContextDim() * (getKeyDim() + getValueDim());
}

/// Verifies that statistics have one entry per head, or per head and frame of
/// the context.
static LogicalResult verifyStats(RestrictedAttentionOp op) {
  auto verifySize = [&](StringRef name, std::optional<ArrayRef<double>> stats,
                        int64_t size) -> LogicalResult {
    if (!stats || int64_t(stats->size()) == size)
      return success();
    return op.emitOpError("expects ")
           << size << " numbers as " << name << ", but got " << stats->size();
  };
  int64_t heads = op.getNumHeads();
  return success(
      succeeded(verifySize("entropy_stats", op.getEntropyStats(), heads)) &&
      succeeded(verifySize("posterior_stats", op.getPosteriorStats(),
                           heads * op.getContextDim())));
}

LogicalResult RestrictedAttentionOp::verifyConfiguration() {
  int64_t left = getNumLeftInputs(), right = getNumRightInputs();
  if (left + right == 0)
    return emitOpError("expects num_left_inputs and num_right_inputs that are "
                       "not both 0");
  // Prevents overflow below and in the dims.
  int64_t width =
      2 * int64_t(getKeyDim()) + int64_t(getValueDim()) + getContextDim();
  if (width > std::numeric_limits<int32_t>::max() / int64_t(getNumHeads()))
    return emitOpError("expects an input dim below 2^31, but got ")
           << getNumHeads() << " heads of " << width;
  // With a larger context, all inputs of a row would be clamped to the limits
  // of t.
  int64_t farthest = (int64_t(1) << 31) / int64_t(getTimeStride());
  if (left > farthest || right > farthest)
    return emitOpError("expects inputs less than 2^31 frames away");
  if (getRequiredLeft() > left)
    return emitOpError("expects num_left_inputs_required up to ")
           << left << ", but got " << getRequiredLeft();
  if (getRequiredRight() > right)
    return emitOpError("expects num_right_inputs_required up to ")
           << right << ", but got " << getRequiredRight();
  float scale = getActualKeyScale();
  if (!(scale > 0 && scale <= 1))
    return emitOpError("expects a key_scale above 0 and up to 1, but got ")
           << scale;
  return verifyStats(*this);
}

//===----------------------------------------------------------------------===//
// Indexes
//===----------------------------------------------------------------------===//

void RestrictedAttentionOp::getInputIndexes(Index output,
                                            SmallVectorImpl<Index> &inputs) {
  int64_t stride = getTimeStride(), right = getNumRightInputs();
  for (int64_t i = -int64_t(getNumLeftInputs()); i <= right; ++i)
    inputs.push_back({output.n, shifted(output.t, i * stride), output.x});
}

bool RestrictedAttentionOp::isComputable(Index output,
                                         function_ref<bool(Index)> available,
                                         SmallVectorImpl<Index> *used) {
  int64_t stride = getTimeStride();
  auto getInput = [&](int64_t i) {
    return Index{output.n, shifted(output.t, i * stride), output.x};
  };
  auto isThere = [&](int64_t i) {
    Index input = getInput(i);
    return input.t == output.t + i * stride && available(input);
  };
  for (int64_t i = -getRequiredLeft(); i <= getRequiredRight(); ++i)
    if (!isThere(i))
      return false;
  int64_t right = getNumRightInputs();
  for (int64_t i = -int64_t(getNumLeftInputs()); used && i <= right; ++i)
    if (isThere(i))
      used->push_back(getInput(i));
  return true;
}

/// Returns the grids: input and output have the same spacing, and the input
/// covers the context of the first and the last output (spec: components.md
/// 6.28).
static FailureOr<RowGrid> getGrid(const IndexRows &inputs,
                                  const IndexRows &outputs,
                                  RestrictedAttentionOp op) {
  FailureOr<RowGrid> grid = getRowGrid(inputs, outputs);
  if (failed(grid))
    return failure();
  TimeGrid &in = grid->in, &out = grid->out;
  int64_t stride = op.getTimeStride();
  int64_t lastOut = out.last();
  int64_t step = std::gcd(std::gcd(in.step, out.step), stride);
  in.step = out.step = step;
  out.count = (lastOut - out.start) / step + 1;
  in.start = out.start - stride * int64_t(op.getNumLeftInputs());
  int64_t lastIn = lastOut + stride * int64_t(op.getNumRightInputs());
  in.count = (lastIn - in.start) / step + 1;
  return grid;
}

LogicalResult RestrictedAttentionOp::reorderIndexes(IndexRows &inputs,
                                                    IndexRows &outputs) {
  return layOut(*this, getGrid(inputs, outputs, *this), inputs, outputs);
}

DictionaryAttr
RestrictedAttentionOp::precomputeIndexes(const IndexRows &inputs,
                                         const IndexRows &outputs, bool) {
  FailureOr<RowGrid> grid = getGrid(inputs, outputs, *this);
  assert(succeeded(grid) && "rows were laid out before");
  int64_t images = grid->images.size() * inputs.numSequences();
  Builder builder(getContext());
  return builder.getDictionaryAttr(builder.getNamedAttr(
      "row_shift", builder.getI64IntegerAttr(int64_t(getTimeStride()) /
                                             grid->in.step * images)));
}
