//===- RequestStride.cpp - Stride of the sequences of a request -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Shortcut/RequestStride.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace mlir::nnet3;

template <typename... Parts> static std::string text(const Parts &...parts) {
  std::string result;
  llvm::raw_string_ostream os(result);
  (os << ... << parts);
  return result;
}

/// Finds the stride of a Cartesian product of ranges from its row order.
static std::optional<SequenceStride> findStrideOfProduct(IndexesAttr indexes,
                                                         std::string &reason) {
  for (auto [k, n] : llvm::enumerate(indexes.getN()))
    if (n != int64_t(k)) {
      reason = text("lists n = ", n, " where n = ", k, " is expected");
      return std::nullopt;
    }
  int64_t numX = indexes.getX().size();
  SequenceStride result{1, int64_t(indexes.getN().size())};
  if (indexes.getOrder() == RowOrder::NT)
    result.stride = numX * int64_t(indexes.getT().size());
  else if (indexes.getOrder() == RowOrder::TN)
    result.stride = numX;
  return result;
}

/// Finds the stride of a list of rows: the number of leading rows with n = 0.
/// No other stride can pass the check of all rows.
static std::optional<SequenceStride> findStrideOfList(ArrayRef<Index> rows,
                                                      std::string &reason) {
  int64_t count = int64_t(rows.back().n) + 1, size = rows.size();
  if (rows.front().n != 0) {
    reason = text("begins with n = ", rows.front().n, " instead of n = 0");
    return std::nullopt;
  }
  if (count <= 0 || size % count != 0) {
    reason = text("ends with n = ", rows.back().n, ", but its ", size,
                  " rows are not as many for each n up to that");
    return std::nullopt;
  }
  auto isOther = [](const Index &index) { return index.n != 0; };
  int64_t stride = llvm::find_if(rows, isOther) - rows.begin();
  for (int64_t i = 0; i < size; ++i) {
    int64_t n = i / stride % count;
    Index expected = rows[i - n * stride];
    expected.n = n;
    if (rows[i] != expected) {
      reason = text("has ", rows[i], " as row ", i, ", where ", expected,
                    " is expected");
      return std::nullopt;
    }
  }
  if (size % (stride * count) != 0) {
    reason = text("ends in the middle of a block of ", stride * count, " rows");
    return std::nullopt;
  }
  return SequenceStride{stride, count};
}

std::optional<SequenceStride>
mlir::nnet3::findSequenceStride(IndexesAttr indexes, std::string &reason) {
  if (!indexes.isExplicit())
    return findStrideOfProduct(indexes, reason);
  return findStrideOfList(indexes.expand(), reason);
}

IndexRows mlir::nnet3::withSequences(IndexesAttr indexes, int64_t stride,
                                     int64_t numSequences) {
  IndexRows rows({}, llvm::to_vector(llvm::seq<int32_t>(0, numSequences)),
                 stride);
  // A Cartesian product needs only the rows of one sequence.
  if (!indexes.isExplicit())
    indexes = IndexesAttr::get(indexes.getContext(), ArrayRef<int32_t>(0),
                               indexes.getT(), indexes.getX(),
                               indexes.getOrder(), ArrayRef<int32_t>());
  for (const Index &index : indexes.expand())
    if (index.n == 0)
      rows.rows.push_back(index);
  return rows;
}

std::optional<int64_t> mlir::nnet3::getNumSequences(RequestOp request,
                                                    Obstacle &obstacle) {
  std::optional<int64_t> count;
  StringRef first;
  for (Operation &op : request.getBody().front()) {
    StringRef name = op.getAttrOfType<StringAttr>("name").getValue();
    auto indexes = op.getAttrOfType<IndexesAttr>("indexes");
    obstacle.op = &op;
    std::string reason;
    std::optional<SequenceStride> stride = findSequenceStride(indexes, reason);
    if (!stride) {
      obstacle.reason = text("'", name, "' ", reason);
      return std::nullopt;
    }
    if (count && *count != stride->numSequences) {
      obstacle.reason = text("'", name, "' has ", stride->numSequences,
                             " sequences, but '", first, "' has ", *count);
      return std::nullopt;
    }
    count = stride->numSequences;
    if (first.empty())
      first = name;
  }
  if (count.value_or(0) <= 2) {
    obstacle.op = request;
    obstacle.reason =
        text("nothing is gained with ", count.value_or(0), " sequences");
    return std::nullopt;
  }
  return count;
}
