//===- PrintedCommands.cpp - Commands in Kaldi's print format -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PrintedCommands.h"
#include "nnet3/Target/Report/PrintedForm.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Formats a number with up to six digits.
static std::string getNumber(const APFloat &value) {
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format("%g", double(value.convertToFloat()));
  return text;
}

/// Formats the dims of a view, such as `[dim = 10 x 40]`.
static std::string getDim(Value view) {
  auto type = cast<MemRefType>(view.getType());
  return (" [dim = " + Twine(type.getDimSize(0)) + " x " +
          Twine(type.getDimSize(1)) + "]")
      .str();
}

/// The number of the line and its line end count towards the maximum length.
void CommandPrinter::emit(const Twine &text) {
  os << shortenPrinted(("c" + Twine(numCommands++) + ": " + text + "\n").str());
}

void CommandPrinter::printSet(Value view, const APFloat &value) {
  emit(matrices.getView(view) + ".set(" + getNumber(value) + ")" +
       getDim(view) + ";");
}

void CommandPrinter::printSwap(Value to, Value from) {
  emit(matrices.getName(to) + ".swap(" + matrices.getName(from) + ")" +
       getDim(to));
}

/// Formats an integer type, such as `uint8`.
static std::string getTypeName(Type type) {
  return ((type.isUnsignedInteger() ? "uint" : "int") +
          Twine(type.getIntOrFloatBitWidth()))
      .str();
}

void CommandPrinter::printCompress(CompressMatrixOp op) {
  emit("CompressMatrix(" + matrices.getName(op.getMatrix()) + ", " +
       getNumber(op.getRange()) + ", " +
       getTypeName(op.getResult().getType().getElementType()) + ", " +
       (op.getTruncate() ? "true)" : "false)"));
}

/// Prints commands that allocate, free or fill matrices.
LogicalResult CommandPrinter::printStorage(Operation *op) {
  auto emitAlloc = [&](Value matrix) {
    auto type = cast<MemRefType>(matrix.getType());
    emit(matrices.getName(matrix) + " = undefined(" +
         Twine(type.getDimSize(0)) + "," + Twine(type.getDimSize(1)) + ")");
  };
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](AllocMatrixUndefinedOp op) {
        return emitAlloc(op.getResult()), success();
      })
      .Case([&](AllocMatrixZeroedOp op) {
        emitAlloc(op.getResult());
        return printSet(op.getResult(), APFloat(0.0f)), success();
      })
      .Case([&](DeallocMatrixOp op) {
        return emit(matrices.getName(op.getMatrix()) + " = []"), success();
      })
      .Case([&](MoveMatrixOp op) {
        return printSwap(op.getResult(), op.getSource()), success();
      })
      .Case([&](CompressMatrixOp op) { return printCompress(op), success(); })
      .Case([&](DecompressMatrixOp op) {
        emit("DecompressMatrix(" + matrices.getName(op.getResult()) + ")");
        return success();
      })
      .Case([&](SetConstOp op) {
        return printSet(op.getMatrix(), op.getValue()), success();
      })
      .Default([](Operation *op) {
        return op->emitError() << "'" << op->getName().stripDialect()
                               << "' has no printed form";
      });
}

/// Formats a scaled view, such as `0.5 * m2`.
static std::string getScaled(const APFloat &alpha, const std::string &view) {
  return alpha.isExactlyValue(1.0) ? view : getNumber(alpha) + " * " + view;
}

std::string CommandPrinter::getMulti(ValueRange views,
                                     RowTableAttr rows) const {
  std::string text = "[";
  llvm::ListSeparator separator(",");
  for (RowRef row : rows.expand()) {
    text += StringRef(separator);
    text += row.isNone() ? "NULL" : matrices.getRow(views[row.source], row.row);
  }
  return text + "]";
}

/// Returns the rows of a table, -1 for none.
static SmallVector<int64_t> getRows(RowTableAttr table) {
  return llvm::map_to_vector(
      table.expand(), [](RowRef row) { return row.isNone() ? -1 : row.row; });
}

LogicalResult CommandPrinter::printRanges(AddRowRangesOp op) {
  if (op.getStep() != 1)
    return op.emitError("with a step has no printed form");
  std::string ranges;
  llvm::ListSeparator separator(",");
  for (auto [begin, end] :
       llvm::zip(getRows(op.getBegin()), getRows(op.getEnd()))) {
    ranges += StringRef(separator);
    ranges += begin < 0 ? "null" : (Twine(begin) + ":" + Twine(end - 1)).str();
  }
  emit(matrices.getView(op.getDest()) + ".AddRowRanges(" +
       getNumber(op.getAlpha()) + ", " + matrices.getView(op.getSource()) +
       ", [" + ranges + "])");
  return success();
}

/// Prints commands that copy and add.
LogicalResult CommandPrinter::printRows(Operation *op) {
  auto emitMatrix = [&](auto op, StringRef sign) {
    emit(matrices.getView(op.getDest()) + " " + sign + " " +
         getScaled(op.getAlpha(), matrices.getView(op.getSource())));
    return success();
  };
  auto emitRows = [&](auto op, StringRef name) {
    emit(matrices.getView(op.getDest()) + "." + name + "(" +
         getNumber(op.getAlpha()) + ", " + matrices.getView(op.getSource()) +
         printIntegers(getRows(op.getRows())) + ")");
    return success();
  };
  auto emitMulti = [&](Value one, ValueRange several, RowTableAttr rows,
                       StringRef name, const APFloat &alpha) {
    emit(matrices.getView(one) + "." + name + "(" + getNumber(alpha) + ", " +
         getMulti(several, rows) + ")");
    return success();
  };
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](MatrixCopyOp op) { return emitMatrix(op, "="); })
      .Case([&](MatrixAddOp op) { return emitMatrix(op, "+="); })
      .Case([&](CopyRowsOp op) { return emitRows(op, "CopyRows"); })
      .Case([&](AddRowsOp op) { return emitRows(op, "AddRows"); })
      .Case([&](CopyRowsMultiOp op) {
        return emitMulti(op.getDest(), op.getSources(), op.getRows(),
                         "CopyRowsMulti", op.getAlpha());
      })
      .Case([&](AddRowsMultiOp op) {
        return emitMulti(op.getDest(), op.getSources(), op.getRows(),
                         "AddRowsMulti", op.getAlpha());
      })
      .Case([&](CopyToRowsMultiOp op) {
        return emitMulti(op.getSource(), op.getDests(), op.getRows(),
                         "CopyToRowsMulti", APFloat(1.0f));
      })
      .Case([&](AddToRowsMultiOp op) {
        return emitMulti(op.getSource(), op.getDests(), op.getRows(),
                         "AddToRowsMulti", op.getAlpha());
      })
      .Case([&](AddRowRangesOp op) { return printRanges(op); })
      .Default([&](Operation *op) { return printStorage(op); });
}

/// Formats `precomputed_indexes[3]`, or `NULL` for 0.
static std::string getPrecomputed(size_t number) {
  return number ? ("precomputed_indexes[" + Twine(number) + "]").str() : "NULL";
}

void CommandPrinter::printPropagate(PropagateOp op) {
  StringRef component = op.getComponent().getLeafReference();
  size_t number = op.getPrecomputed() ? ++numPrecomputed : 0;
  if (number)
    precomputed[component].push_back(number);
  emit(component + ".Propagate(" + getPrecomputed(number) + ", " +
       (op.getInput() ? matrices.getView(op.getInput()) : "[]") + ", &" +
       matrices.getView(op.getOutput()) + ")");
}

/// Returns the number of the precomputed indexes of the last propagate without
/// a backprop so far.
size_t CommandPrinter::takePrecomputed(BackpropOp op) {
  if (!op.getPrecomputed())
    return 0;
  auto &numbers = precomputed[op.getComponent().getLeafReference()];
  return numbers.empty() ? ++numPrecomputed : numbers.pop_back_val();
}

void CommandPrinter::printBackprop(BackpropOp op) {
  auto getView = [&](Value view) {
    return view ? matrices.getView(view) : "[]";
  };
  Value inDeriv = op.getInputDeriv();
  emit(op.getComponent().getLeafReference().getValue() + ".Backprop(" +
       getPrecomputed(takePrecomputed(op)) + ", " +
       getView(op.getInputValue()) + ", " + getView(op.getOutputValue()) +
       ", " + getView(op.getOutputDeriv()) + ", " +
       (op.getUpdate() ? "[component-pointer]" : "NULL") + ", " +
       (inDeriv ? "&" + getView(inDeriv) : "NULL") + ")");
}

LogicalResult CommandPrinter::print(Operation *op) {
  auto emitText = [&](const Twine &text) { return emit(text), success(); };
  return TypeSwitch<Operation *, LogicalResult>(op)
      // Propagate commands print the storing of statistics; views are printed
      // with their users.
      .Case<SubMatrixOp, StoreStatsOp>([](Operation *) { return success(); })
      .Case([&](PropagateOp op) { return printPropagate(op), success(); })
      .Case([&](BackpropOp op) { return printBackprop(op), success(); })
      .Case([&](AcceptInputOp op) {
        return emitText(matrices.getName(op.getResult()) +
                        " = user input [for node: '" + op.getNode() + "']");
      })
      .Case([&](ProvideOutputOp op) {
        return emitText("output " + matrices.getName(op.getMatrix()) +
                        " to user [for node: '" + op.getNode() + "']");
      })
      .Case([&](NoOperationOp) { return emitText("[no-op]"); })
      .Case(
          [&](NoOperationPermanentOp) { return emitText("[no-op-permanent]"); })
      .Case([&](NoOperationMarkerOp) {
        return emitText("# computation segment separator [e.g., begin backward "
                        "commands]");
      })
      .Default([&](Operation *op) { return printRows(op); });
}

LogicalResult CommandPrinter::printAll(Block &commands) {
  for (Operation &op : commands)
    if (failed(print(&op)))
      return failure();
  return success();
}
