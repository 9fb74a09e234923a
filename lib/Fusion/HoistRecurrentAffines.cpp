//===- HoistRecurrentAffines.cpp - Hoist matmuls out of recurrences -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SumOrder.h"
#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/IR/FusedCommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"
#include "nnet3/Fusion/Passes.h"

#include "llvm/ADT/MapVector.h"

#include <map>

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3HOISTRECURRENTAFFINES
#include "nnet3/Fusion/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {

/// A slice of the columns of a fused_affine's input.
struct Part {
  MatrixWindow window;
  RowTableAttr rows;
  int64_t column;      ///< of the weights
  bool isReady = true; ///< computed before the recurrence
};

/// A fused_affine whose inputs are split into those computed before the
/// recurrence and the rest.
struct Step {
  mutable FusedAffineOp op;
  SmallVector<Part> ready, rest;

  int64_t getNumRows() const { return numRows(op.getOutput()); }
  /// False for a first step without recurrent input.
  bool isRecurrent() const { return !rest.empty(); }
  /// Steps with equal signatures are hoisted together.
  SmallVector<int64_t> getSignature() const {
    SmallVector<int64_t> signature = {getNumRows(), op.getBias()};
    for (const Part &part : ready)
      signature.append({part.column, part.window.cols});
    return signature;
  }
};

/// An input of the matmul for all steps.
struct HoistedInput {
  Value value;
  Attribute rows;
  int64_t column;
  Value copy; ///< a copy to free after the matmul, or null
};

struct HoistRecurrentAffines
    : public nnet3::impl::Nnet3HoistRecurrentAffinesBase<
          HoistRecurrentAffines> {
  using Base::Base;
  void runOnCommands() override;

private:
  SmallVector<Part> getParts(FusedAffineOp op, int32_t number, int32_t first);
  Step cut(FusedAffineOp op, int32_t number, int32_t first);
  bool isReady(const MatrixWindow &window, int32_t number, int32_t first);
  void hoist(ArrayRef<Step> steps);
  HoistedInput gather(ArrayRef<Step> steps, size_t part, OpBuilder &builder);

  CommandAnalysis *analysis = nullptr;
  SumOrders *orders = nullptr;
  PassCount numRecurrences{"recurrences"};
  PassCount numSteps{"steps made shorter"};
};

} // namespace

/// Whether `op` only computes matmuls and possibly a bias.
static bool isMatmul(FusedAffineOp op) {
  return op.getEpilogueSteps().empty() && !op.getResidual() &&
         !op.getFoldedAttr();
}

static Value allocate(OpBuilder &builder, Location loc, int64_t rows,
                      int64_t cols) {
  return AllocMatrixUndefinedOp::create(
      builder, loc, MemRefType::get({rows, cols}, builder.getF32Type()));
}

/// Whether the values of `window` that command `number` reads are computed
/// before command `first`.
bool HoistRecurrentAffines::isReady(const MatrixWindow &window, int32_t number,
                                    int32_t first) {
  bool ready = true;
  analysis->getVariables(window).forEach([&](int32_t variable) {
    int32_t lastWrite = analysis->getNumCommands();
    for (const Access &access : analysis->getVariableAccesses(variable))
      if (access.writes() && access.command < number)
        lastWrite = access.command;
    ready &= lastWrite < first;
  });
  return ready;
}

/// Splits the inputs of `op` where different commands write them.
SmallVector<Part> HoistRecurrentAffines::getParts(FusedAffineOp op,
                                                  int32_t number,
                                                  int32_t first) {
  SmallVector<Part> parts;
  for (auto [input, rows, column] :
       llvm::zip_equal(op.getInputs(), op.getRows(), op.getColumns())) {
    const MatrixWindow window = MatrixWindow::get(input);
    const MatrixVariables &variables =
        analysis->getMatrix(analysis->getMatrixNumber(window.matrix));
    for (auto [begin, end] : llvm::zip(
             variables.colSplits, ArrayRef(variables.colSplits).drop_front())) {
      if (begin < window.col || end > window.col + window.cols)
        continue;
      MatrixWindow piece = window;
      piece.col = begin;
      piece.cols = end - begin;
      parts.push_back({piece, cast<RowTableAttr>(rows),
                       column + begin - window.col,
                       isReady(piece, number, first)});
    }
  }
  return parts;
}

/// Whether `part` continues `before` in its matrix and in the weights.
static bool isBehind(const Part &part, const Part &before) {
  return part.rows == before.rows &&
         part.window.matrix == before.window.matrix &&
         part.window.row == before.window.row &&
         part.window.col == before.window.col + before.window.cols &&
         part.column == before.column + before.window.cols;
}

/// Splits the inputs of `op` into ready ones and the rest. Only whole groups of
/// terms are ready, starting with the first group, to keep the order of
/// additions.
Step HoistRecurrentAffines::cut(FusedAffineOp op, int32_t number,
                                int32_t first) {
  const SumOrder &order = orders->get(op);
  const SmallVector<Part> parts = getParts(op, number, first);
  SumGroup firstRest = SumGroup::Recurrent;
  for (const Part &part : parts)
    if (!part.isReady)
      firstRest = std::min(firstRest, order.getGroup(part.column));
  Step step;
  step.op = op;
  for (const Part &part : parts) {
    SmallVector<Part> &list =
        order.getGroup(part.column) < firstRest ? step.ready : step.rest;
    if (!list.empty() && isBehind(part, list.back()))
      list.back().window.cols += part.window.cols;
    else
      list.push_back(part);
  }
  return step;
}

/// Returns the rows of part `part` of all steps, in the order of steps: as rows
/// of one matrix if they are all in one, else as a copy.
HoistedInput HoistRecurrentAffines::gather(ArrayRef<Step> steps, size_t part,
                                           OpBuilder &builder) {
  MLIRContext *context = builder.getContext();
  const Part &first = steps.front().ready[part];
  Location loc = builder.getUnknownLoc();
  SmallVector<RowRef> rows;
  SmallVector<Value> sources;
  llvm::SmallDenseMap<std::pair<Value, int64_t>, int32_t> numbers;
  for (const Step &step : steps) {
    const Part &piece = step.ready[part];
    MatrixWindow all = piece.window;
    all.row = 0;
    all.rows = all.matrixRows();
    auto [number, isNew] =
        numbers.try_emplace({all.matrix, all.col}, int32_t(sources.size()));
    if (isNew)
      sources.push_back(createView(builder, loc, all));
    for (RowRef row : piece.rows.expand())
      rows.push_back(row.isNone()
                         ? row
                         : RowRef{number->second, row.row + piece.window.row});
  }
  auto table = RowTableAttr::get(context, rows);
  if (sources.size() == 1)
    return {sources.front(), table, first.column, Value()};
  auto copy = allocate(builder, loc, rows.size(), first.window.cols);
  CopyRowsMultiOp::create(builder, loc, sources, table, copy,
                          builder.getF32FloatAttr(1));
  for (auto [i, row] : llvm::enumerate(rows))
    row = {0, int64_t(i)};
  return {copy, RowTableAttr::get(context, rows), first.column, copy};
}

/// Reduces `step` to the rest of its inputs, with `init` as the initial value;
/// if there is no rest, copies `init` to the output.
static void shorten(const Step &step, Value init) {
  FusedAffineOp op = step.op;
  OpBuilder builder(op);
  if (step.rest.empty()) {
    MatrixCopyOp::create(builder, op.getLoc(), init, op.getOutput(),
                         builder.getF32FloatAttr(1));
    return op.erase();
  }
  SmallVector<Value> inputs;
  SmallVector<Attribute> rows;
  SmallVector<int64_t> columns;
  for (const Part &part : step.rest) {
    inputs.push_back(createView(builder, op.getLoc(), part.window));
    rows.push_back(part.rows);
    columns.push_back(part.column);
  }
  op.getInputsMutable().assign(inputs);
  op.setRowsAttr(builder.getArrayAttr(rows));
  op.setColumns(columns);
  op.setBias(false);
  op.getInitMutable().assign(init);
}

void HoistRecurrentAffines::hoist(ArrayRef<Step> steps) {
  FusedAffineOp first = steps.front().op, last = steps.back().op;
  Location loc = first.getLoc();
  OpBuilder builder(first);
  SmallVector<Value> inputs, copies;
  SmallVector<Attribute> rows;
  SmallVector<int64_t> columns;
  for (size_t part = 0; part < steps.front().ready.size(); ++part) {
    HoistedInput input = gather(steps, part, builder);
    inputs.push_back(input.value);
    rows.push_back(input.rows);
    columns.push_back(input.column);
    if (input.copy)
      copies.push_back(input.copy);
  }
  const int64_t stepRows = steps.front().getNumRows();
  const int64_t cols =
      cast<MemRefType>(first.getOutput().getType()).getDimSize(1);
  Value products = allocate(builder, loc, stepRows * steps.size(), cols);
  FusedAffineOp::create(
      builder, loc, first.getComponent(), inputs, builder.getArrayAttr(rows),
      builder.getDenseI64ArrayAttr(columns), first.getBiasAttr(),
      /*init=*/Value(),
      /*epilogue=*/ArrayAttr(), /*residual=*/Value(),
      builder.getF32FloatAttr(1), products, /*folded=*/SymbolRefAttr());
  for (Value copy : copies)
    DeallocMatrixOp::create(builder, loc, copy);
  SmallVector<Value> inits;
  for (size_t i = 0; i < steps.size(); ++i)
    inits.push_back(createView(
        builder, loc, {products, int64_t(i) * stepRows, stepRows, 0, cols}));
  builder.setInsertionPointAfter(last);
  DeallocMatrixOp::create(builder, loc, products);
  for (auto [step, init] : llvm::zip_equal(steps, inits))
    shorten(step, init);
  ++numRecurrences;
  numSteps += steps.size();
}

void HoistRecurrentAffines::runOnCommands() {
  analysis = &getAnalysis<CommandAnalysis>();
  SumOrders known(getOperation());
  orders = &known;
  // Maps of each component that start with the bias, in order.
  llvm::MapVector<Attribute, SmallVector<int32_t>> maps;
  for (int32_t c = 0; c < analysis->getNumCommands(); ++c)
    if (auto op = dyn_cast<FusedAffineOp>(analysis->getCommand(c)))
      if (!op.getInit())
        maps[op.getComponent()].push_back(c);
  for (auto &[component, commands] : maps) {
    std::map<SmallVector<int64_t>, SmallVector<Step>> recurrences;
    for (int32_t c : commands) {
      auto op = cast<FusedAffineOp>(analysis->getCommand(c));
      if (numRows(op.getOutput()) > maxRows)
        continue;
      Step step = cut(op, c, commands.front());
      if (!step.ready.empty() && (step.isRecurrent() || isMatmul(op)))
        recurrences[step.getSignature()].push_back(step);
    }
    for (auto &[signature, steps] : recurrences)
      if (steps.size() > 1 && llvm::any_of(steps, [](const Step &step) {
            return step.isRecurrent();
          }))
        hoist(steps);
  }
}
