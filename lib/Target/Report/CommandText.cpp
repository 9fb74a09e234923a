//===- CommandText.cpp - Commands as text ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CommandText.h"
#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Row tables may have as many entries as a matrix has rows.
static constexpr size_t kMaxTableLength = 48;

static void printOperand(llvm::raw_ostream &os, const SummaryOperand &operand,
                         const SummaryMatrix &matrix) {
  os << matrix.name;
  bool allRows = operand.rows == matrix.rows;
  bool allCols = operand.cols == matrix.cols;
  if (allRows && allCols)
    return;
  auto printRange = [&](bool all, int64_t begin, int64_t size) {
    if (all)
      os << ":";
    else
      os << begin << ":" << begin + size - 1;
  };
  os << "(";
  printRange(allRows, operand.row, operand.rows);
  os << ", ";
  printRange(allCols, operand.col, operand.cols);
  os << ")";
}

/// Prints operands that are read or freed, an arrow, and operands that are
/// written or allocated. The arrow is `+->` if all of the latter are added to.
static void printOperands(llvm::raw_ostream &os,
                          ArrayRef<SummaryMatrix> matrices, int32_t firstResult,
                          ArrayRef<SummaryOperand> operands) {
  auto isTarget = [&](const SummaryOperand &operand) {
    return operand.writes || operand.matrix >= firstResult;
  };
  auto adds = [](const SummaryOperand &operand) {
    return !operand.writes || operand.reads;
  };
  for (const SummaryOperand &operand : operands)
    if (!isTarget(operand)) {
      os << " ";
      printOperand(os, operand, matrices[operand.matrix]);
    }
  if (llvm::none_of(operands, isTarget))
    return;
  bool isSum = llvm::all_of(operands, adds) &&
               llvm::any_of(operands, [](auto &o) { return o.writes; });
  os << (isSum ? " +->" : " ->");
  for (const SummaryOperand &operand : operands) {
    if (!isTarget(operand))
      continue;
    const SummaryMatrix &matrix = matrices[operand.matrix];
    os << " ";
    printOperand(os, operand, matrix);
    if (operand.matrix >= firstResult)
      os << " [" << matrix.rows << " x " << matrix.cols << "]";
  }
}

/// Prints the part of a row table in angle brackets.
static void printTable(llvm::raw_ostream &os, Attribute table) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  table.print(stream);
  StringRef items = StringRef(text).drop_while([](char c) { return c != '<'; });
  os << " " << items.substr(0, kMaxTableLength);
  if (items.size() > kMaxTableLength)
    os << "...";
}

/// Prints row tables, factors and values.
static void printAttributes(llvm::raw_ostream &os, Operation *op) {
  for (StringRef name : {"rows", "begin", "end"})
    if (auto table = op->getAttrOfType<RowTableAttr>(name))
      printTable(os, table);
  for (StringRef name : {"alpha", "value"})
    if (auto number = op->getAttrOfType<FloatAttr>(name))
      if (name == "value" || !number.getValue().isExactlyValue(1.0))
        os << " " << name << " "
           << formatReal(number.getValue().convertToFloat());
  if (op->hasAttr("update"))
    os << " update";
}

void mlir::nnet3::describeCommand(Operation *op,
                                  ArrayRef<SummaryMatrix> matrices,
                                  int32_t firstResult,
                                  SummaryCommand &command) {
  llvm::raw_string_ostream os(command.text);
  os << command.kind;
  if (auto component = op->getAttrOfType<SymbolRefAttr>("component")) {
    command.subject = component.getLeafReference().str();
    os << " @" << command.subject;
  } else if (auto node = op->getAttrOfType<StringAttr>("node")) {
    command.subject = node.str();
    os << " " << node;
  }
  printOperands(os, matrices, firstResult, command.operands);
  printAttributes(os, op);
}
