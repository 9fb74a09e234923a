//===- StatisticsComponents.cpp - Means and deviations over time ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Components.h"
#include "nnet3/Dialect/Nnet3/IR/RowTableAlgebra.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"
#include <tuple>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::detail;

/// Maximum number of frames that are read for one row.
static constexpr int64_t kMaxFrames = int64_t(1) << 24;

//===----------------------------------------------------------------------===//
// Rows, for both components
//===----------------------------------------------------------------------===//

/// Calls `fn` for the rows at `times` until it returns false.
static void forEachRow(const Index &output, const TimeRange &times,
                       function_ref<bool(Index)> fn) {
  for (int64_t t = times.first; t <= times.last; t += times.step)
    if (!fn({output.n, int32_t(t), output.x}))
      return;
}

static void appendRows(const Index &output,
                       const std::optional<TimeRange> &times,
                       SmallVectorImpl<Index> &inputs) {
  if (times)
    forEachRow(output, *times, [&](Index input) {
      inputs.push_back(input);
      return true;
    });
}

/// Whether some row is available; adds all available rows to `used`.
static bool anyAvailable(const Index &output,
                         const std::optional<TimeRange> &times,
                         function_ref<bool(Index)> available,
                         SmallVectorImpl<Index> *used) {
  bool any = false;
  if (times)
    forEachRow(output, *times, [&](Index input) {
      bool isThere = available(input);
      any |= isThere;
      if (isThere && used)
        used->push_back(input);
      return used || !any;
    });
  return any;
}

/// Orders by n, then x, then t, so that the rows that one output row reads are
/// adjacent.
static bool isBefore(const Index &a, const Index &b) {
  return std::tie(a.n, a.x, a.t) < std::tie(b.n, b.x, b.t);
}

static void sortRows(IndexRows &rows) {
  llvm::sort(rows.rows, isBefore);
  rows.block = rows.isFolded() ? rows.rows.size() : 1;
}

/// Returns for each output row the first input row that it reads and the end of
/// the range. Each sequence's rows are contiguous; sequences are in any order.
static DictionaryAttr
getRanges(MLIRContext *context, const IndexRows &inputs,
          const IndexRows &outputs,
          function_ref<std::optional<TimeRange>(Index)> getTimes) {
  SmallVector<RowRef> begins, ends;
  ArrayRef<Index> rows = inputs.rows;
  for (const Index &output : outputs.rows) {
    std::optional<TimeRange> times = getTimes(output);
    assert(times && "computable rows read something");
    Index first{output.n, times->first, output.x};
    Index last{output.n, times->last, output.x};
    const Index *begin = llvm::lower_bound(rows, first, isBefore);
    const Index *end = llvm::upper_bound(rows, last, isBefore);
    begins.push_back({0, begin - rows.begin()});
    ends.push_back({0, end - rows.begin()});
  }
  auto getTable = [&](ArrayRef<RowRef> entries) {
    row_table::Code code = row_table::encodeRepeated(
        entries, entries.size(), outputs.numSequences(), rows.size());
    return RowTableAttr::get(context, ArrayRef<int64_t>(code));
  };
  Builder builder(context);
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("begins", getTable(begins)),
       builder.getNamedAttr("ends", getTable(ends))});
}

static LogicalResult verifyFrames(Operation *op, int64_t frames) {
  if (frames <= kMaxFrames)
    return success();
  return op->emitOpError("reads ") << frames << " rows for one, but at most "
                                   << kMaxFrames << " are possible";
}

//===----------------------------------------------------------------------===//
// StatisticsExtractionComponent
//===----------------------------------------------------------------------===//

LogicalResult StatisticsExtractionOp::verifyConfiguration() {
  if (failed(verifyLimits(*this)))
    return failure();
  return verifyFrames(*this, getOutputPeriod() / getInputPeriod());
}

int64_t StatisticsExtractionOp::getTimeModulus() { return getOutputPeriod(); }

std::optional<TimeRange>
StatisticsExtractionOp::getOptionalTimes(Index output) {
  int64_t period = getOutputPeriod();
  int64_t first = llvm::divideFloorSigned(int64_t(output.t), period) * period;
  int64_t step = getInputPeriod();
  return TimeRange{shifted(0, first), shifted(0, first + period - step),
                   int32_t(step)};
}

void StatisticsExtractionOp::getInputIndexes(Index output,
                                             SmallVectorImpl<Index> &inputs) {
  appendRows(output, getOptionalTimes(output), inputs);
}

bool StatisticsExtractionOp::isComputable(Index output,
                                          function_ref<bool(Index)> available,
                                          SmallVectorImpl<Index> *used) {
  return anyAvailable(output, getOptionalTimes(output), available, used);
}

LogicalResult StatisticsExtractionOp::reorderIndexes(IndexRows &inputs,
                                                     IndexRows &outputs) {
  sortRows(inputs);
  sortRows(outputs);
  return success();
}

DictionaryAttr
StatisticsExtractionOp::precomputeIndexes(const IndexRows &inputs,
                                          const IndexRows &outputs, bool) {
  return getRanges(getContext(), inputs, outputs,
                   [&](Index output) { return getOptionalTimes(output); });
}

//===----------------------------------------------------------------------===//
// StatisticsPoolingComponent
//===----------------------------------------------------------------------===//

LogicalResult StatisticsPoolingOp::verifyConfiguration() {
  int64_t period = getInputPeriod();
  int64_t left = getLeftContext(), right = getRightContext();
  if (getInputDim() < 2)
    return emitOpError("expects an input_dim above 1: a count and at least "
                       "one sum");
  if (getOutputStddevs() && getInputDim() % 2 == 0)
    return emitOpError("expects an odd input_dim for output_stddevs, but got ")
           << getInputDim();
  if (failed(
          verifyDivides(*this, "input_period", period, "left_context", left)) ||
      failed(
          verifyDivides(*this, "input_period", period, "right_context", right)))
    return failure();
  float floor = getVarianceFloor().convertToFloat();
  if (!(floor > 0 && floor < 1))
    return emitOpError("expects a variance_floor between 0 and 1, but got ")
           << floor;
  return verifyFrames(*this, (left + right) / period + 1);
}

int64_t StatisticsPoolingOp::getTimeModulus() { return getInputPeriod(); }

std::optional<TimeRange> StatisticsPoolingOp::getOptionalTimes(Index output) {
  int64_t step = getInputPeriod();
  if (output.t % step != 0)
    return std::nullopt;
  return TimeRange{shifted(output.t, -int64_t(getLeftContext())),
                   shifted(output.t, getRightContext()), int32_t(step)};
}

void StatisticsPoolingOp::getInputIndexes(Index output,
                                          SmallVectorImpl<Index> &inputs) {
  appendRows(output, getOptionalTimes(output), inputs);
}

bool StatisticsPoolingOp::isComputable(Index output,
                                       function_ref<bool(Index)> available,
                                       SmallVectorImpl<Index> *used) {
  return anyAvailable(output, getOptionalTimes(output), available, used);
}

LogicalResult StatisticsPoolingOp::reorderIndexes(IndexRows &inputs,
                                                  IndexRows &outputs) {
  sortRows(inputs);
  sortRows(outputs);
  return success();
}

DictionaryAttr StatisticsPoolingOp::precomputeIndexes(const IndexRows &inputs,
                                                      const IndexRows &outputs,
                                                      bool) {
  return getRanges(getContext(), inputs, outputs,
                   [&](Index output) { return getOptionalTimes(output); });
}
