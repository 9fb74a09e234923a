//===- CommandAnalysis.cpp - What commands read and write -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"
#include "AccessCollector.h"

#include <numeric>

using namespace mlir;
using namespace mlir::nnet3;

CommandAnalysis::CommandAnalysis(Operation *op)
    : CommandAnalysis(cast<ComputationOp>(op), cast<ComputationOp>(op)) {}

CommandAnalysis::CommandAnalysis(ComputationOp computation,
                                 ComputationOp original)
    : computation(computation), components(original) {
  AccessCollector collector(components);
  collector.collect(computation.getBody().front());
  findVariables(collector);
  sortAccesses(collector);
  commands = std::move(collector.commands);
  partNumbers = std::move(collector.partNumbers);
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

/// Sorts and deduplicates the row or column boundaries of one matrix.
static ArrayRef<int64_t> sortUnique(MutableArrayRef<int64_t> list) {
  // llvm::sort would use the slower qsort of the C library.
  std::sort(list.begin(), list.end());
  return ArrayRef<int64_t>(list.begin(), llvm::unique(list));
}

void CommandAnalysis::findVariables(const AccessCollector &collector) {
  matrixAccesses = collector.matrixAccesses;
  matrices.resize(collector.matrices.size());
  partMatrices.reserve(collector.parts.size());
  std::vector<int32_t> numParts(matrices.size());
  for (const MatrixPart &part : collector.parts) {
    partMatrices.push_back(part.matrix);
    ++numParts[part.matrix];
  }
  // Two boundaries per part and dimension; a matrix's rows come before its
  // columns.
  splits.resize(4 * collector.parts.size());
  std::vector<int64_t *> next(matrices.size());
  int64_t *end = splits.data();
  for (auto [at, count] : llvm::zip_equal(next, numParts)) {
    at = end;
    end += 4 * count;
  }
  for (const MatrixPart &part : collector.parts) {
    int64_t *rows = next[part.matrix];
    int64_t *cols = rows + 2 * numParts[part.matrix];
    rows[0] = part.row;
    rows[1] = part.row + part.rows;
    cols[0] = part.col;
    cols[1] = part.col + part.cols;
    next[part.matrix] += 2;
  }
  int32_t numVariables = 0;
  for (auto [m, matrix] : llvm::enumerate(matrices)) {
    size_t count = 2 * numParts[m];
    matrix.matrix = collector.matrices[m];
    matrix.firstVariable = numVariables;
    matrix.rowSplits = sortUnique({next[m] - count, count});
    matrix.colSplits = sortUnique({next[m], count});
    numVariables += matrix.numVariables();
  }
  variableAccesses.resize(numVariables);
  lastWrites.resize(numVariables);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

namespace {
/// Lists of accesses, stored one after another.
class AccessLists {
public:
  explicit AccessLists(size_t numLists) : ends(numLists + 1) {}

  /// First, the size of each list is counted, ...
  void count(int32_t list) { ++ends[list + 1]; }
  /// ... then the lists are laid out from `begin` on, ...
  Access *place(Access *begin) {
    this->begin = begin;
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    starts = ends;
    return begin + ends.back();
  }
  /// ... and filled. Several accesses of a command to a list are merged.
  void add(int32_t list, const Access &access) {
    Access *end = begin + ends[list];
    if (ends[list] > starts[list] && end[-1].command == access.command) {
      end[-1].kind = Access::Kind(end[-1].kind | access.kind);
      return;
    }
    *end = access;
    ++ends[list];
  }
  MutableArrayRef<Access> get(int32_t list) const {
    return {begin + starts[list], begin + ends[list]};
  }

private:
  Access *begin = nullptr;
  std::vector<int32_t> starts, ends;
};
} // namespace

/// Takes time linear in the length of the list.
void CommandAnalysis::setAccesses(int32_t variable, AccessList list) {
  variableAccesses[variable] = list;
  lastWrites[variable] = -1;
  for (const Access &access : list)
    if (access.writes())
      lastWrites[variable] = access.command;
}

void CommandAnalysis::sortAccesses(const AccessCollector &collector) {
  std::vector<WindowVariables> windows;
  windows.reserve(collector.parts.size());
  for (const MatrixPart &part : collector.parts)
    windows.push_back(
        getVariables(part.matrix, part.row, part.rows, part.col, part.cols));
  AccessLists ofVariables(variableAccesses.size()), ofMatrices(matrices.size());
  size_t total = collector.accesses.size();
  for (const PartAccess &access : collector.accesses) {
    ofMatrices.count(collector.parts[access.part].matrix);
    windows[access.part].forEach([&](int32_t variable) {
      ofVariables.count(variable);
      ++total;
    });
  }
  accesses.resize(total);
  ofMatrices.place(ofVariables.place(accesses.data()));
  for (const PartAccess &partAccess : collector.accesses) {
    Access access = partAccess.access;
    windows[partAccess.part].forEach(
        [&](int32_t variable) { ofVariables.add(variable, access); });
    const MatrixPart &part = collector.parts[partAccess.part];
    if (part.rows < matrices[part.matrix].rowSplits.back() ||
        part.cols < matrices[part.matrix].colSplits.back())
      access.kind = Access::Kind(access.kind | Access::Read);
    ofMatrices.add(part.matrix, access);
  }
  for (size_t v = 0; v < variableAccesses.size(); ++v)
    setAccesses(v, ofVariables.get(v));
  for (auto [m, matrix] : llvm::enumerate(matrixAccesses))
    matrix.accesses = ofMatrices.get(m);
}
