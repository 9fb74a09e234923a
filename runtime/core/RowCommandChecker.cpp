//===- RowCommandChecker.cpp - Verifying row tables and their use ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CommandChecker.h"

#include <algorithm>
#include <utility>

namespace nnet3 {
namespace rt {

using schema::Opcode;

bool CommandChecker::checkRowTable(uint32_t id) {
  RowTableInfo info;
  for (int32_t row : *root.row_tables()->Get(id)->rows()) {
    if (row < -1)
      return fail("row table " + std::to_string(id) + " has a row " +
                  std::to_string(row));
    info.largest = std::max(info.largest, row);
  }
  rowTables.push_back(info);
  return true;
}

bool CommandChecker::checkMultiTable(uint32_t id) {
  const schema::MultiTable &table = *root.multi_tables()->Get(id);
  const std::string name = "multi table " + std::to_string(id);
  if (table.submatrices()->size() != table.rows()->size())
    return fail(name + " has lists of different lengths");
  MultiTableInfo info;
  for (uint32_t i = 0; i < table.rows()->size(); ++i) {
    const int32_t submatrix = table.submatrices()->Get(i);
    const int32_t row = table.rows()->Get(i);
    if (submatrix == -1 && row == -1)
      continue;
    if (submatrix < 0 ||
        static_cast<size_t>(submatrix) >= program.windows.size() || row < 0 ||
        row >= program.windows[submatrix].rows)
      return fail(name + " refers to row " + std::to_string(row) +
                  " of submatrix " + std::to_string(submatrix) +
                  ", which does not exist");
    if (info.submatrices.empty() || info.submatrices.back() != submatrix)
      info.submatrices.push_back(submatrix);
  }
  std::sort(info.submatrices.begin(), info.submatrices.end());
  info.submatrices.erase(
      std::unique(info.submatrices.begin(), info.submatrices.end()),
      info.submatrices.end());
  multiTables.push_back(std::move(info));
  return true;
}

bool CommandChecker::checkRangeTable(uint32_t id) {
  const schema::RangeTable &table = *root.range_tables()->Get(id);
  const std::string name = "range table " + std::to_string(id);
  if (table.begin()->size() != table.end()->size())
    return fail(name + " has lists of different lengths");
  if (table.step() < 1)
    return fail(name + " has a step of " + std::to_string(table.step()));
  RangeTableInfo info;
  for (uint32_t i = 0; i < table.begin()->size(); ++i) {
    const int32_t begin = table.begin()->Get(i);
    const int32_t end = table.end()->Get(i);
    if (begin == -1 && end == -1)
      continue;
    if (begin < 0 || end < begin)
      return fail(name + " has a range from " + std::to_string(begin) + " to " +
                  std::to_string(end));
    info.largestEnd = std::max(info.largestEnd, end);
  }
  rangeTables.push_back(info);
  return true;
}

bool CommandChecker::checkTables() {
  for (uint32_t i = 0; root.row_tables() && i < root.row_tables()->size(); ++i)
    if (!checkRowTable(i))
      return false;
  for (uint32_t i = 0; root.multi_tables() && i < root.multi_tables()->size();
       ++i)
    if (!checkMultiTable(i))
      return false;
  for (uint32_t i = 0; root.range_tables() && i < root.range_tables()->size();
       ++i)
    if (!checkRangeTable(i))
      return false;
  return true;
}

bool CommandChecker::checkMatrixPair() {
  if (!existing(source->dst(), "destination", command.dst) ||
      !existing(source->src(), "source", command.src))
    return false;
  if (command.dst.rows != command.src.rows ||
      command.dst.cols != command.src.cols)
    return fail("expects equal dims");
  return command.dst == command.src || !command.dst.overlaps(command.src) ||
         fail("source and destination overlap");
}

/// Whether the command's table exists.
template <typename Vector>
bool CommandChecker::tableId(const Vector *tables, const char *kind) {
  const int32_t id = source->table();
  return (id >= 0 && tables && static_cast<uint32_t>(id) < tables->size()) ||
         fail(std::string("there is no ") + kind + " " + std::to_string(id));
}

/// The message for a table of the wrong length.
static std::string lengthMessage(uint32_t length, int32_t rows) {
  return "expects a table of " + std::to_string(rows) + " entries, but got " +
         std::to_string(length);
}

bool CommandChecker::checkRows() {
  if (!existing(source->dst(), "destination", command.dst) ||
      !existing(source->src(), "source", command.src) ||
      !tableId(root.row_tables(), "row table"))
    return false;
  const auto &rows = *root.row_tables()->Get(source->table())->rows();
  if (rows.size() != static_cast<uint32_t>(command.dst.rows))
    return fail(lengthMessage(rows.size(), command.dst.rows));
  if (command.dst.cols != command.src.cols)
    return fail("expects equal columns");
  if (rowTables[source->table()].largest >= command.src.rows)
    return fail("the table refers to row " +
                std::to_string(rowTables[source->table()].largest) + " of " +
                std::to_string(command.src.rows));
  if (command.dst.overlaps(command.src)) {
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
      !tableId(root.range_tables(), "range table"))
    return false;
  const schema::RangeTable &table = *root.range_tables()->Get(source->table());
  if (table.begin()->size() != static_cast<uint32_t>(command.dst.rows))
    return fail(lengthMessage(table.begin()->size(), command.dst.rows));
  if (command.dst.cols != command.src.cols)
    return fail("expects equal columns");
  if (rangeTables[source->table()].largestEnd > command.src.rows)
    return fail("the table refers to row " +
                std::to_string(rangeTables[source->table()].largestEnd - 1) +
                " of " + std::to_string(command.src.rows));
  if (command.dst.overlaps(command.src))
    return fail("source and destination overlap");
  command.first = table.begin()->data();
  command.second = table.end()->data();
  command.step = table.step();
  return true;
}

bool CommandChecker::checkMulti(bool tableIsTarget) {
  Window &side = tableIsTarget ? command.src : command.dst;
  if (!existing(tableIsTarget ? source->src() : source->dst(),
                tableIsTarget ? "source" : "destination", side) ||
      !tableId(root.multi_tables(), "multi table"))
    return false;
  const schema::MultiTable &table = *root.multi_tables()->Get(source->table());
  MultiTableInfo &info = multiTables[source->table()];
  if (!checkMultiSides(side, table, info) ||
      (tableIsTarget && !checkDistinctTargets(table, info)))
    return false;
  if (command.opcode == Opcode::CopyToRowsMulti && command.alpha != 1)
    return fail("expects an alpha of 1");
  command.first = table.submatrices()->data();
  command.second = table.rows()->data();
  return true;
}

bool CommandChecker::checkMultiSides(const Window &side,
                                     const schema::MultiTable &table,
                                     const MultiTableInfo &info) {
  if (table.rows()->size() != static_cast<uint32_t>(side.rows))
    return fail(lengthMessage(table.rows()->size(), side.rows));
  if (!charge(info.submatrices.size()))
    return false;
  bool overlap = false;
  for (int32_t id : info.submatrices) {
    Window other;
    if (!existing(id, "submatrix in the table", other))
      return false;
    if (other.cols != side.cols)
      return fail("expects submatrices of " + std::to_string(side.cols) +
                  " columns in the table, but got " +
                  std::to_string(other.cols));
    overlap |= other.overlaps(side);
  }
  if (!overlap)
    return true;
  // Rows of the same matrix will do if none is both read and written.
  if (!charge(table.rows()->size()))
    return false;
  for (uint32_t i = 0; i < table.rows()->size(); ++i) {
    if (table.submatrices()->Get(i) == -1)
      continue;
    Window row = program.windows[table.submatrices()->Get(i)];
    row.rowOffset += table.rows()->Get(i);
    row.rows = 1;
    if (row.overlaps(side))
      return fail("reads a row that it writes");
  }
  return true;
}

bool CommandChecker::checkDistinctTargets(const schema::MultiTable &table,
                                          MultiTableInfo &info) {
  if (info.distinctChecked)
    return true;
  std::vector<std::pair<int32_t, int32_t>> targets;
  for (uint32_t i = 0; i < table.rows()->size(); ++i)
    if (table.submatrices()->Get(i) != -1)
      targets.emplace_back(table.submatrices()->Get(i), table.rows()->Get(i));
  std::sort(targets.begin(), targets.end());
  if (std::adjacent_find(targets.begin(), targets.end()) != targets.end())
    return fail("expects distinct rows as targets");
  info.distinctChecked = true;
  return true;
}

} // namespace rt
} // namespace nnet3
