//===- RequestRows.cpp - The rows of a request ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Compile/RequestRows.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Returns `rows` in folded form if blocks of `block` rows are repeated for the
/// sequences; else nothing.
static std::optional<IndexRows> foldWithBlock(ArrayRef<Index> rows,
                                              ArrayRef<int32_t> sequences,
                                              int64_t block) {
  int64_t count = sequences.size();
  for (auto [row, index] : llvm::enumerate(rows)) {
    int64_t k = int64_t(row) / block % count;
    Index first = rows[row - k * block];
    first.n = sequences[k];
    if (index != first)
      return std::nullopt;
  }
  IndexRows folded;
  folded.sequences.assign(sequences.begin(), sequences.end());
  folded.block = block;
  for (size_t row = 0; row < rows.size(); row += block * count)
    for (int64_t o = 0; o < block; ++o) {
      Index index = rows[row + o];
      index.n = 0;
      folded.rows.push_back(index);
    }
  return folded;
}

std::optional<IndexRows> mlir::nnet3::foldRows(ArrayRef<Index> rows) {
  // The sequences in order of first appearance, and the distance from the first
  // to the second.
  SmallVector<int32_t> sequences;
  DenseSet<int64_t> seen;
  int64_t block = 0;
  for (auto [row, index] : llvm::enumerate(rows)) {
    if (!seen.insert(index.n).second) {
      if (block > 0 && sequences.front() == index.n)
        break;
      continue;
    }
    if (sequences.size() == 1)
      block = row;
    sequences.push_back(index.n);
  }
  if (rows.empty())
    return std::nullopt;
  if (sequences.size() == 1)
    block = 1;
  if (rows.size() % (block * sequences.size()) != 0)
    return std::nullopt;
  return foldWithBlock(rows, sequences, block);
}

/// Returns the folded rows of a product of ranges without listing them.
static IndexRows foldProduct(IndexesAttr indexes) {
  IndexRows folded;
  folded.sequences.assign(indexes.getN().begin(), indexes.getN().end());
  for (int32_t t : indexes.getT())
    for (int32_t x : indexes.getX())
      folded.rows.push_back({0, t, x});
  switch (indexes.getOrder()) {
  case RowOrder::NT:
    folded.block = folded.rows.size();
    break;
  case RowOrder::TN:
    folded.block = indexes.getX().size();
    break;
  case RowOrder::TXN:
    folded.block = 1;
    break;
  }
  return folded;
}

/// Folds all of `lists` over the same sequences; fails if they differ.
static bool foldAll(SmallVectorImpl<IoRows> &lists, RequestRows &request) {
  for (IoRows &io : lists) {
    auto indexes = io.op->getAttrOfType<IndexesAttr>("indexes");
    std::optional<IndexRows> folded = indexes.isExplicit()
                                          ? foldRows(indexes.expand())
                                          : std::optional(foldProduct(indexes));
    if (!folded)
      return false;
    if (request.sequences.empty())
      request.sequences = folded->sequences;
    if (request.sequences != folded->sequences)
      return false;
    io.rows = std::move(*folded);
  }
  return true;
}

FailureOr<RequestRows>
mlir::nnet3::readRequest(RequestOp request, const NodeTable &nodes, bool fold) {
  RequestRows result;
  for (Operation &op : request.getBody().front()) {
    StringRef name = op.getAttrOfType<StringAttr>("name").getValue();
    bool isInput = isa<RequestInputOp>(op);
    int32_t node = nodes.find(name);
    bool fits =
        node >= 0 && (isInput ? nodes[node].kind == Node::Kind::Input ||
                                    nodes[node].kind == Node::Kind::Component
                              : nodes[node].isOutput);
    if (!fits)
      return op.emitError("the network has no ")
             << (isInput ? "input node or component node" : "output node")
             << " '" << name << "'";
    (isInput ? result.inputs : result.outputs).push_back({node, {}, &op});
  }
  if (fold && foldAll(result.inputs, result) && foldAll(result.outputs, result))
    return result;
  result.sequences.clear();
  for (SmallVectorImpl<IoRows> *lists : {&result.inputs, &result.outputs})
    for (IoRows &io : *lists)
      io.rows =
          IndexRows(io.op->getAttrOfType<IndexesAttr>("indexes").expand());
  return result;
}
