//===- HoistConstantRows.cpp - Multiply a shared row once -----------------===//

#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/IR/FusedCommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/RowTableAlgebra.h"
#include "nnet3/Fusion/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3HOISTCONSTANTROWS
#include "nnet3/Fusion/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

/// The row that all entries of a table with several name, if they do.
static std::optional<int64_t> getConstantRow(Attribute rows) {
  auto table = cast<RowTableAttr>(rows);
  auto progression = row_table::getProgression(table.getCode());
  if (!progression || progression->count == 1 || progression->step != 0)
    return std::nullopt;
  return progression->start;
}

namespace {

/// Inputs of a fused_affine.
struct Inputs {
  SmallVector<Value> values;
  SmallVector<Attribute> rows;
  SmallVector<int64_t> columns;

  void add(Value value, Attribute table, int64_t column) {
    values.push_back(value);
    rows.push_back(table);
    columns.push_back(column);
  }
};

struct HoistConstantRows
    : public nnet3::impl::Nnet3HoistConstantRowsBase<HoistConstantRows> {
  void runOnOperation() override {
    for (auto op : llvm::make_early_inc_range(
             getOperation().getBody().getOps<FusedAffineOp>()))
      if (!op.getInit())
        hoist(op);
  }

private:
  void hoist(FusedAffineOp op);
  PassCount numInputs{"inputs replaced"};
};

} // namespace

void HoistConstantRows::hoist(FusedAffineOp op) {
  Inputs shared, others;
  for (auto [input, rows, column] :
       llvm::zip_equal(op.getInputs(), op.getRows(), op.getColumns())) {
    std::optional<int64_t> row = getConstantRow(rows);
    if (row)
      shared.add(input, RowTableAttr::get(op.getContext(), {RowRef{0, *row}}),
                 column);
    else
      others.add(input, rows, column);
  }
  if (shared.values.empty() || others.values.empty())
    return;
  numInputs += shared.values.size();
  OpBuilder builder(op);
  auto output = cast<MemRefType>(op.getOutput().getType());
  Value row = AllocMatrixUndefinedOp::create(
      builder, op.getLoc(),
      MemRefType::get({1, output.getDimSize(1)}, output.getElementType()));
  FusedAffineOp::create(builder, op.getLoc(), op.getComponent(), shared.values,
                        builder.getArrayAttr(shared.rows),
                        builder.getDenseI64ArrayAttr(shared.columns),
                        op.getBiasAttr(),
                        /*init=*/Value(), /*epilogue=*/ArrayAttr(),
                        /*residual=*/Value(), builder.getF32FloatAttr(1), row,
                        /*folded=*/SymbolRefAttr());
  op.getInputsMutable().assign(others.values);
  op.setRowsAttr(builder.getArrayAttr(others.rows));
  op.setColumns(others.columns);
  op.setBias(false);
  op.getInitMutable().assign(row);
  builder.setInsertionPointAfter(op);
  DeallocMatrixOp::create(builder, op.getLoc(), row);
}
