//===- PrecomputedVerifier.cpp - Checks what is precomputed ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PrecomputedVerifier.h"

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Dialect/Nnet3/IR/RowTable.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
/// The entries of one command's dictionary, each with its checks.
class Verifier {
public:
  Verifier(Operation *op, DictionaryAttr precomputed, int64_t inputRows,
           int64_t outputRows)
      : op(op), precomputed(precomputed), inputRows(inputRows),
        outputRows(outputRows) {}

  LogicalResult verifyOffsets(size_t numOffsets);
  LogicalResult verifyShift(int64_t numShifts);
  LogicalResult verifyRanges();
  LogicalResult verifyBlocks(int64_t numBlocks);
  LogicalResult verifyLengths();
  LogicalResult verifyMasks();
  /// A table `name` with a row below `numRows`, if that is not 0, for each row
  /// of the output or of one of several sequences; null after an error.
  RowTableAttr getTable(StringRef name, int64_t numRows, bool mayBeNone);

private:
  template <typename T> T get(StringRef name, StringRef what);
  /// Row `row` of the input is there, as far as that is known.
  bool hasInput(int64_t row) const {
    return row >= 0 && (inputRows == 0 || row < inputRows);
  }

  Operation *op;
  DictionaryAttr precomputed;
  int64_t inputRows, outputRows;
};
} // namespace

/// Entry `name`, which is `what`; null after an error.
template <typename T> T Verifier::get(StringRef name, StringRef what) {
  Attribute entry = precomputed ? precomputed.get(name) : Attribute();
  auto value = dyn_cast_or_null<T>(entry);
  if (value)
    return value;
  InFlightDiagnostic error = op->emitOpError("expects a precomputed '")
                             << name << "', " << what << ", but got ";
  if (entry)
    error << entry;
  else
    error << "none";
  return {};
}

RowTableAttr Verifier::getTable(StringRef name, int64_t numRows,
                                bool mayBeNone) {
  auto table = get<RowTableAttr>(name, "a row table");
  if (!table)
    return {};
  if (table.size() == 0 || outputRows % table.size() != 0) {
    op->emitOpError("expects '")
        << name << "' to have a row for each of the " << outputRows
        << " rows of the output, but got " << table.size();
    return {};
  }
  row_table::Cursor cursor(table.getCode());
  while (std::optional<RowRef> row = cursor.next())
    if (row->isNone() ? !mayBeNone
                      : row->source != 0 || row->row < 0 ||
                            (numRows && row->row >= numRows)) {
      InFlightDiagnostic error = op->emitOpError("expects rows ");
      if (numRows)
        error << "below " << numRows << " ";
      error << "in '" << name << "', but got " << table;
      return {};
    }
  return table;
}

/// Row r of the output reads rows offset + r * stride.
LogicalResult Verifier::verifyOffsets(size_t numOffsets) {
  auto offsets = get<DenseI64ArrayAttr>("row_offsets", "an array of i64");
  if (!offsets)
    return failure();
  auto stride = get<IntegerAttr>("row_stride", "an integer");
  if (!stride)
    return failure();
  if (size_t(offsets.size()) != numOffsets)
    return op->emitOpError("expects 'row_offsets' of ")
           << numOffsets << " time offsets, but got " << offsets.size();
  for (int64_t offset : offsets.asArrayRef()) {
    std::optional<int64_t> last =
        llvm::checkedMulAdd<int64_t>(outputRows - 1, stride.getInt(), offset);
    if (!last || !hasInput(offset) || !hasInput(*last))
      return op->emitOpError("expects rows of an input with ")
             << inputRows << " rows, but got offset " << offset
             << " and stride " << stride.getInt() << " for " << outputRows
             << " rows";
  }
  return success();
}

/// Row r of the output reads rows r to r + numShifts * shift.
LogicalResult Verifier::verifyShift(int64_t numShifts) {
  auto shift = get<IntegerAttr>("row_shift", "an integer");
  if (!shift)
    return failure();
  std::optional<int64_t> last =
      llvm::checkedMulAdd<int64_t>(numShifts, shift.getInt(), outputRows - 1);
  if (shift.getInt() < 0 || !last || !hasInput(*last))
    return op->emitOpError("expects rows of an input with ")
           << inputRows << " rows, but got shift " << shift.getInt() << " for "
           << outputRows << " rows";
  return success();
}

LogicalResult Verifier::verifyRanges() {
  RowTableAttr begins = getTable("begins", inputRows + 1, false);
  RowTableAttr ends = begins ? getTable("ends", inputRows + 1, false) : begins;
  if (!ends)
    return failure();
  if (begins.size() != ends.size())
    return op->emitOpError("expects as many 'begins' as 'ends', but got ")
           << begins.size() << " and " << ends.size();
  row_table::Cursor begin(begins.getCode()), end(ends.getCode());
  while (std::optional<RowRef> first = begin.next())
    if (std::optional<RowRef> last = end.next(); first->row > last->row)
      return op->emitOpError("expects ranges that end behind their beginning, "
                             "but got one from ")
             << first->row << " to " << last->row;
  return success();
}

LogicalResult Verifier::verifyBlocks(int64_t numBlocks) {
  RowTableAttr rows = getTable("rows", inputRows, false);
  RowTableAttr blocks = rows ? getTable("blocks", numBlocks, false) : rows;
  if (!blocks)
    return failure();
  if (rows.size() != blocks.size())
    return op->emitOpError("expects as many 'rows' as 'blocks', but got ")
           << rows.size() << " and " << blocks.size();
  return success();
}

/// The rows of the sequences, one behind the other.
LogicalResult Verifier::verifyLengths() {
  auto lengths = get<RowTableAttr>("lengths", "a row table");
  RowTableAttr rows =
      lengths ? getTable("rows", outputRows, false) : RowTableAttr();
  if (!rows)
    return failure();
  int64_t left = rows.size();
  row_table::Cursor cursor(lengths.getCode());
  while (std::optional<RowRef> length = cursor.next())
    left = length->row > 0 && length->row <= left ? left - length->row : -1;
  if (left != 0)
    return op->emitOpError("expects positive 'lengths' whose sum is ")
           << rows.size() << ", but got " << lengths;
  return success();
}

LogicalResult Verifier::verifyMasks() {
  auto numMasks = get<IntegerAttr>("num_mask_rows", "an integer");
  if (!numMasks)
    return failure();
  if (numMasks.getInt() < 1 || numMasks.getInt() > outputRows)
    return op->emitOpError("expects 'num_mask_rows' from 1 to ")
           << outputRows << ", but got " << numMasks.getInt();
  return success(bool(getTable("indexes", numMasks.getInt(), false)));
}

LogicalResult mlir::nnet3::detail::verifyPrecomputed(
    Operation *op, ComponentOpInterface component, DictionaryAttr precomputed,
    int64_t inputRows, int64_t outputRows) {
  Verifier verifier(op, precomputed, inputRows, outputRows);
  return TypeSwitch<Operation *, LogicalResult>(component)
      .Case<TdnnOp, TimeHeightConvolutionOp>([&](auto tdnn) {
        return verifier.verifyOffsets(tdnn.getTimeOffsets().size());
      })
      .Case<RestrictedAttentionOp>([&](auto attention) {
        return verifier.verifyShift(attention.getNumLeftInputs() +
                                    attention.getNumRightInputs());
      })
      .Case<StatisticsExtractionOp, StatisticsPoolingOp>(
          [&](auto) { return verifier.verifyRanges(); })
      .Case<DistributeOp>([&](auto distribute) {
        return verifier.verifyBlocks(distribute.getInputDim() /
                                     distribute.getOutputDim());
      })
      .Case<SpecAugmentTimeMaskOp>(
          [&](auto) { return verifier.verifyLengths(); })
      .Case<GeneralDropoutOp>([&](auto) { return verifier.verifyMasks(); })
      .Case<BackpropTruncationOp>([&](auto) {
        return success(!precomputed ||
                       verifier.getTable("zeroing", 0, /*mayBeNone=*/true));
      })
      .Default([&](Operation *other) -> LogicalResult {
        if (precomputed)
          return op->emitOpError("expects nothing precomputed of ")
                 << other->getName();
        return success();
      });
}
