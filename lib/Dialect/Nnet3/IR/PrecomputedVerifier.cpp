//===- PrecomputedVerifier.cpp - Checks of precomputed data ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PrecomputedVerifier.h"

#include "nnet3/Dialect/Nnet3/IR/PrecomputedTimes.h"
#include "nnet3/Dialect/Nnet3/IR/RowTable.h"

#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Returns the entry `name`; null after an error that calls it `what`.
template <typename T>
T PrecomputedVerifier::get(StringRef name, StringRef what) {
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

RowTableAttr PrecomputedVerifier::getTable(StringRef name, int64_t numRows,
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

LogicalResult PrecomputedVerifier::verifyOffsets(size_t numOffsets) {
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

LogicalResult PrecomputedVerifier::verifyShift(int64_t numShifts) {
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

LogicalResult PrecomputedVerifier::verifyRanges() {
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
      return op->emitOpError("expects ranges that end after they begin, "
                             "but got one from ")
             << first->row << " to " << last->row;
  return success();
}

LogicalResult PrecomputedVerifier::verifyBlocks(int64_t numBlocks) {
  RowTableAttr rows = getTable("rows", inputRows, false);
  RowTableAttr blocks = rows ? getTable("blocks", numBlocks, false) : rows;
  if (!blocks)
    return failure();
  if (rows.size() != blocks.size())
    return op->emitOpError("expects as many 'rows' as 'blocks', but got ")
           << rows.size() << " and " << blocks.size();
  return success();
}

LogicalResult PrecomputedVerifier::verifyLengths() {
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

LogicalResult PrecomputedVerifier::verifyMasks() {
  auto numMasks = get<IntegerAttr>("num_mask_rows", "an integer");
  if (!numMasks)
    return failure();
  if (numMasks.getInt() < 1 || numMasks.getInt() > outputRows)
    return op->emitOpError("expects 'num_mask_rows' from 1 to ")
           << outputRows << ", but got " << numMasks.getInt();
  return success(bool(getTable("indexes", numMasks.getInt(), false)));
}

LogicalResult PrecomputedVerifier::verifyTimes() {
  if (!precomputed)
    return success();
  auto first = get<IntegerAttr>(kFirstTime, "an integer");
  if (!first)
    return failure();
  if (!llvm::isInt<32>(first.getInt()))
    return op->emitOpError("expects a 32-bit '")
           << kFirstTime << "', but got " << first.getInt();
  return success(bool(getTable(kTimes, 0, /*mayBeNone=*/false)));
}

LogicalResult PrecomputedVerifier::verifyNothing() {
  if (precomputed)
    return op->emitOpError("expects nothing precomputed of ")
           << component->getName();
  return success();
}

LogicalResult mlir::nnet3::detail::verifyNothingPrecomputed(
    PrecomputedVerifier &precomputed) {
  return precomputed.verifyNothing();
}
