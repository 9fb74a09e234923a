//===- CommandContext.cpp - State of a computation's conversion -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CommandContext.h"

#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"
#include "nnet3/Dialect/Nnet3/IR/RowTableAlgebra.h"

using namespace mlir;
using namespace mlir::nnet3;

int64_t CommandContext::getScratch(int64_t size) {
  // A device's scratch buffer is at the start of the arena.
  if (module.device)
    return 0;
  sizeBehind = std::max(sizeBehind, size);
  return arena.getSize();
}

int64_t CommandContext::addTable(function_ref<SmallVector<int64_t>()> getRows) {
  const int64_t round = arena.getRound();
  auto getRowsOf = [&](int64_t number) {
    arena.setRound(number);
    return getRows();
  };
  SmallVector<int64_t> rows = getRowsOf(0);
  const int64_t size = rows.size();
  const bool moves = numRounds > 1 && getRowsOf(1) != rows;
  for (int64_t i = 1; moves && i < numRounds; ++i)
    llvm::append_range(rows, getRowsOf(i));
  arena.setRound(round);
  return module.tables.add(rows) + (moves ? round * size : 0);
}

int64_t CommandContext::getTable(RowTableAttr rows, ValueRange sources,
                                 int64_t none) {
  return addTable([&] {
    SmallVector<int64_t> bases, strides, places;
    for (Value source : sources) {
      bases.push_back(arena.getOffset(source));
      strides.push_back(getRowStride(source));
    }
    row_table::Cursor cursor(rows.getCode());
    while (std::optional<RowRef> row = cursor.next())
      places.push_back(row->isNone() ? none
                                     : bases[row->source] +
                                           row->row * strides[row->source]);
    return places;
  });
}

Value CommandContext::createMatrix(Value matrix) {
  return kernels.createRows(arena.getOffset(matrix), numRows(matrix),
                            numCols(matrix), getRowStride(matrix));
}

SmallVector<Value> CommandContext::createVectors(ComponentOpInterface component,
                                                 unsigned count,
                                                 int64_t columns) {
  return llvm::map_to_vector(llvm::seq(count), [&](unsigned i) {
    return kernels.createVector(module.weights.getVector(component, i),
                                columns);
  });
}

std::optional<int64_t> mlir::nnet3::getDistance(ArrayRef<int64_t> numbers) {
  const int64_t distance = numbers.size() > 1 ? numbers[1] - numbers[0] : 0;
  for (size_t i = 1; i < numbers.size(); ++i)
    if (numbers[i] - numbers[i - 1] != distance)
      return std::nullopt;
  return distance;
}

Value CommandContext::createRanges(function_ref<int64_t()> getPlace,
                                   int64_t stride, int64_t columns,
                                   ArrayRef<int64_t> firsts,
                                   ArrayRef<int64_t> ends) {
  auto getBegins = [&] {
    const int64_t place = getPlace();
    return llvm::map_to_vector(
        firsts, [&](int64_t first) { return place + first * stride; });
  };
  auto counts =
      llvm::map_to_vector(llvm::zip_equal(firsts, ends), [](auto range) {
        auto [first, end] = range;
        return std::max<int64_t>(end - first, 0);
      });
  SmallVector<int64_t> begins = getBegins();
  auto distance = getDistance(begins);
  if (distance && llvm::all_equal(counts) && counts[0] > 0)
    return kernels.createRowGroups(begins[0], begins.size(), *distance,
                                   counts[0], stride, columns);
  return kernels.createRowRanges(addTable(getBegins), module.tables.add(counts),
                                 begins.size(), columns, stride);
}

void CommandContext::mapRows(const RowOperands &operands, int64_t parts,
                             function_ref<void(RowEmission &)> body) {
  RowEmission::mapRows(kernels.getBuilder(), kernels.getLoc(), operands, parts,
                       body);
}
