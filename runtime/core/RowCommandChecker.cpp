//===- RowCommandChecker.cpp - Verifying row tables and their use ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CommandChecker.h"

#include <algorithm>
#include <utility>

namespace nnet3 {
namespace rt {

using schema::Opcode;

/// The message for a table of the wrong length.
static std::string lengthMessage(int64_t length, int32_t rows) {
  return "expects a table of " + std::to_string(rows) + " entries, but got " +
         std::to_string(length);
}

/// Adds to the size of expanded lists, which can be far larger than their code
/// in the file, and fails if it exceeds maxArenaBytes.
bool CommandChecker::chargeList(uint64_t numEntries) {
  listBytes += sizeof(int32_t) * numEntries;
  return listBytes <= maxArenaBytes ||
         fail("the tables need more than the " + std::to_string(maxArenaBytes) +
              " bytes that are allowed");
}

/// Expands the entries of a table, which must be one per row of a matrix of
/// \p rows rows.
bool CommandChecker::listTable(const ListCode *code, int32_t rows,
                               std::vector<int32_t> &entries) {
  const int64_t count = countEntries(code);
  if (count < 0)
    return fail("expects a table that is written as loops");
  if (count != rows)
    return fail(lengthMessage(count, rows));
  if (!chargeList(static_cast<uint64_t>(count)))
    return false;
  return listEntries(code, entries) ||
         fail("expects a table of 32-bit integers");
}

bool CommandChecker::loadRowTable(uint32_t id, int32_t rows) {
  RowLists &lists = program.rowTables[id];
  RowTableInfo &info = rowTables[id];
  if (info.loaded)
    return lists.first.size() == static_cast<size_t>(rows) ||
           fail(lengthMessage(lists.first.size(), rows));
  if (!listTable(root.row_tables()->Get(id)->rows(), rows, lists.first))
    return false;
  for (int32_t row : lists.first) {
    if (row < -1)
      return fail("row table " + std::to_string(id) + " has a row " +
                  std::to_string(row));
    info.largest = std::max(info.largest, row);
  }
  info.loaded = true;
  return true;
}

bool CommandChecker::loadMultiTable(uint32_t id, int32_t rows) {
  RowLists &lists = program.multiTables[id];
  MultiTableInfo &info = multiTables[id];
  if (info.loaded)
    return lists.first.size() == static_cast<size_t>(rows) ||
           fail(lengthMessage(lists.first.size(), rows));
  const schema::MultiTable &table = *root.multi_tables()->Get(id);
  if (!listTable(table.submatrices(), rows, lists.first) ||
      !listTable(table.rows(), rows, lists.second))
    return false;
  for (int32_t i = 0; i < rows; ++i) {
    const int32_t submatrix = lists.first[i], row = lists.second[i];
    if (submatrix == -1 && row == -1)
      continue;
    if (submatrix < 0 ||
        static_cast<size_t>(submatrix) >= program.windows.size() || row < 0 ||
        row >= program.windows[submatrix].rows)
      return fail("multi table " + std::to_string(id) + " refers to row " +
                  std::to_string(row) + " of submatrix " +
                  std::to_string(submatrix) + ", which does not exist");
    if (info.submatrices.empty() || info.submatrices.back() != submatrix)
      info.submatrices.push_back(submatrix);
  }
  std::sort(info.submatrices.begin(), info.submatrices.end());
  info.submatrices.erase(
      std::unique(info.submatrices.begin(), info.submatrices.end()),
      info.submatrices.end());
  info.loaded = true;
  return true;
}

bool CommandChecker::loadRangeTable(uint32_t id, int32_t rows) {
  RowLists &lists = program.rangeTables[id];
  RangeTableInfo &info = rangeTables[id];
  if (info.loaded)
    return lists.first.size() == static_cast<size_t>(rows) ||
           fail(lengthMessage(lists.first.size(), rows));
  const schema::RangeTable &table = *root.range_tables()->Get(id);
  const std::string name = "range table " + std::to_string(id);
  if (!listTable(table.begin(), rows, lists.first) ||
      !listTable(table.end(), rows, lists.second))
    return false;
  if (table.step() < 1)
    return fail(name + " has a step of " + std::to_string(table.step()));
  for (int32_t i = 0; i < rows; ++i) {
    const int32_t begin = lists.first[i], end = lists.second[i];
    if (begin == -1 && end == -1)
      continue;
    if (begin < 0 || end < begin)
      return fail(name + " has a range from " + std::to_string(begin) + " to " +
                  std::to_string(end));
    info.largestEnd = std::max(info.largestEnd, end);
  }
  info.loaded = true;
  return true;
}

/// Prepares the tables, which are expanded when the first command uses them.
void CommandChecker::prepareTables() {
  auto size = [](const auto *tables) { return tables ? tables->size() : 0; };
  rowTables.resize(size(root.row_tables()));
  multiTables.resize(size(root.multi_tables()));
  rangeTables.resize(size(root.range_tables()));
  program.rowTables.resize(rowTables.size());
  program.multiTables.resize(multiTables.size());
  program.rangeTables.resize(rangeTables.size());
}

bool CommandChecker::checkMatrixPair() {
  if (!existing(source->dst(), "destination", command.dst) ||
      !existing(source->src(), "source", command.src))
    return false;
  if (command.dst.rows != command.src.rows ||
      command.dst.cols != command.src.cols)
    return fail("expects equal dims");
  return command.dst == command.src || !overlap(command.dst, command.src) ||
         fail("source and destination overlap");
}

/// Whether the command's table exists.
template <typename Vector>
bool CommandChecker::tableId(const Vector *tables, const char *kind) {
  const int32_t id = source->table();
  return (id >= 0 && tables && static_cast<uint32_t>(id) < tables->size()) ||
         fail(std::string("there is no ") + kind + " " + std::to_string(id));
}

bool CommandChecker::checkRows() {
  if (!existing(source->dst(), "destination", command.dst) ||
      !existing(source->src(), "source", command.src) ||
      !tableId(root.row_tables(), "row table") ||
      !loadRowTable(source->table(), command.dst.rows))
    return false;
  const std::vector<int32_t> &rows = program.rowTables[source->table()].first;
  if (command.dst.cols != command.src.cols)
    return fail("expects equal columns");
  if (rowTables[source->table()].largest >= command.src.rows)
    return fail("the table refers to row " +
                std::to_string(rowTables[source->table()].largest) + " of " +
                std::to_string(command.src.rows));
  if (overlap(command.dst, command.src)) {
    if (command.dst.rowStep != command.src.rowStep)
      return fail("source and destination overlap");
    if (!charge(rows.size()))
      return false;
    for (int32_t row : rows) {
      const int32_t at = row + command.src.rowOffset - command.dst.rowOffset;
      if (row != -1 && at >= 0 && at < command.dst.rows)
        return fail("reads a row that it writes");
    }
  }
  command.first = rows.data();
  return true;
}

bool CommandChecker::checkRowRanges() {
  if (!existing(source->dst(), "destination", command.dst) ||
      !existing(source->src(), "source", command.src) ||
      !tableId(root.range_tables(), "range table") ||
      !loadRangeTable(source->table(), command.dst.rows))
    return false;
  const RowLists &table = program.rangeTables[source->table()];
  if (command.dst.cols != command.src.cols)
    return fail("expects equal columns");
  if (rangeTables[source->table()].largestEnd > command.src.rows)
    return fail("the table refers to row " +
                std::to_string(rangeTables[source->table()].largestEnd - 1) +
                " of " + std::to_string(command.src.rows));
  if (overlap(command.dst, command.src))
    return fail("source and destination overlap");
  command.first = table.first.data();
  command.second = table.second.data();
  command.step = root.range_tables()->Get(source->table())->step();
  return true;
}

bool CommandChecker::checkMulti(bool tableIsTarget) {
  Window &side = tableIsTarget ? command.src : command.dst;
  if (!existing(tableIsTarget ? source->src() : source->dst(),
                tableIsTarget ? "source" : "destination", side) ||
      !tableId(root.multi_tables(), "multi table") ||
      !loadMultiTable(source->table(), side.rows))
    return false;
  const RowLists &table = program.multiTables[source->table()];
  MultiTableInfo &info = multiTables[source->table()];
  if (!checkMultiSides(side, table, info) ||
      (tableIsTarget && !checkDistinctTargets(table, info)))
    return false;
  if (command.opcode == Opcode::CopyToRowsMulti && command.alpha != 1)
    return fail("expects an alpha of 1");
  command.first = table.first.data();
  command.second = table.second.data();
  return true;
}

bool CommandChecker::checkMultiSides(const Window &side, const RowLists &table,
                                     const MultiTableInfo &info) {
  if (!charge(info.submatrices.size()))
    return false;
  bool overlaps = false;
  for (int32_t id : info.submatrices) {
    Window other;
    if (!existing(id, "submatrix in the table", other))
      return false;
    if (other.cols != side.cols)
      return fail("expects submatrices of " + std::to_string(side.cols) +
                  " columns in the table, but got " +
                  std::to_string(other.cols));
    overlaps |= overlap(other, side);
  }
  if (!overlaps)
    return true;
  // Source and destination may be one matrix if no row is both read and
  // written.
  if (!charge(table.second.size()))
    return false;
  for (size_t i = 0; i < table.first.size(); ++i) {
    if (table.first[i] == -1)
      continue;
    Window row = program.windows[table.first[i]];
    row.rowOffset += table.second[i];
    row.rows = 1;
    if (overlap(row, side))
      return fail("reads a row that it writes");
  }
  return true;
}

bool CommandChecker::checkDistinctTargets(const RowLists &table,
                                          MultiTableInfo &info) {
  if (info.distinctChecked)
    return true;
  std::vector<std::pair<int32_t, int32_t>> targets;
  for (size_t i = 0; i < table.first.size(); ++i)
    if (table.first[i] != -1)
      targets.emplace_back(table.first[i], table.second[i]);
  std::sort(targets.begin(), targets.end());
  if (std::adjacent_find(targets.begin(), targets.end()) != targets.end())
    return fail("expects distinct rows as targets");
  info.distinctChecked = true;
  return true;
}

} // namespace rt
} // namespace nnet3
