//===- PrintedComputation.cpp - Computations in Kaldi's print format ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PrintedCommands.h"
#include "nnet3/Dialect/Nnet3/IR/DebugInfo.h"
#include "nnet3/Target/Report/PrintedForm.h"

using namespace mlir;
using namespace mlir::nnet3;

static constexpr StringRef kMatrixComment =
    "# The following show how matrices correspond to network-nodes and\n"
    "# cindex-ids.  Format is: matrix = <node-id>.[value|deriv][ "
    "<list-of-cindex-ids> ]\n"
    "# where a cindex-id is written as (n,t[,x]) but ranges of t values are "
    "compressed\n"
    "# so we write (n, tfirst:tlast).\n";

PrintedMatrices::PrintedMatrices(ComputationOp computation) {
  computation.getBody().walk<WalkOrder::PreOrder>(
      [&](Operation *op) { add(op); });
}

void PrintedMatrices::add(Operation *op) {
  auto addName = [&](Value value, Value of) {
    numbers[value] = numbers.lookup(of);
  };
  if (isa<SubMatrixOp>(op))
    return;
  if (auto compress = dyn_cast<CompressMatrixOp>(op))
    return addName(compress.getResult(), compress.getMatrix());
  if (auto decompress = dyn_cast<DecompressMatrixOp>(op))
    return addName(decompress.getResult(), decompress.getCompressed());
  for (Value result : op->getResults())
    if (isMatrixType(result.getType())) {
      values.push_back(result);
      numbers[result] = values.size();
    }
}

std::string PrintedMatrices::getName(Value matrix) const {
  return "m" + std::to_string(numbers.lookup(matrix));
}

/// Formats `size` rows or columns from `begin` on, such as `4:7`.
static std::string getRange(int64_t begin, int64_t size) {
  return (Twine(begin) + ":" + Twine(begin + size - 1)).str();
}

std::string PrintedMatrices::getView(Value view) const {
  MatrixWindow window = MatrixWindow::get(view);
  std::string name = getName(window.matrix);
  if (window.isWhole())
    return name;
  return name + "(" + getRange(window.row, window.rows) + ", " +
         getRange(window.col, window.cols) + ")";
}

std::string PrintedMatrices::getRow(Value view, int64_t row) const {
  MatrixWindow window = MatrixWindow::get(view);
  bool allCols = window.cols == window.matrixCols();
  return getName(window.matrix) + "(" + std::to_string(window.row + row) + "," +
         (allCols ? ":" : getRange(window.col, window.cols)) + ")";
}

static void printSizes(const PrintedMatrices &matrices, raw_ostream &os) {
  os << "matrix ";
  llvm::interleaveComma(matrices.getValues(), os, [&](Value value) {
    auto type = cast<MemRefType>(value.getType());
    os << matrices.getName(value) << "(" << type.getDimSize(0) << ", "
       << type.getDimSize(1) << ")";
  });
  os << "\n";
}

/// Prints the contents of matrices whose allocating commands have debug
/// information.
static void printContents(const PrintedMatrices &matrices, raw_ostream &os) {
  bool isFirst = true;
  for (Value value : matrices.getValues()) {
    Operation *op = value.getDefiningOp();
    auto node = op->getAttrOfType<StringAttr>(kDebugNodeAttr);
    auto indexes = op->getAttrOfType<IndexesAttr>(kDebugIndexesAttr);
    if (!node || !indexes)
      continue;
    if (std::exchange(isFirst, false))
      os << kMatrixComment;
    os << matrices.getName(value)
       << " == " << (op->hasAttr(kDebugDerivAttr) ? "deriv: " : "value: ")
       << node.getValue() << printIndexes(indexes.expand()) << "\n";
  }
}

namespace mlir::nnet3 {

LogicalResult printComputation(ComputationOp computation, raw_ostream &os) {
  PrintedMatrices matrices(computation);
  printSizes(matrices, os);
  printContents(matrices, os);
  os << "# begin forward commands\n";
  return CommandPrinter(matrices, os).printAll(computation.getBody().front());
}

} // namespace mlir::nnet3
