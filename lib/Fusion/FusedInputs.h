//===- FusedInputs.h - Inputs of fused affine maps --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_FUSION_FUSEDINPUTS_H
#define NNET3_FUSION_FUSEDINPUTS_H

#include "nnet3/Dialect/Nnet3/IR/FusedCommandOps.h"

#include "mlir/IR/Builders.h"

namespace mlir::nnet3 {

/// Inputs of a `nnet3.fused_affine`: the matrices, and for each the row table
/// and the first column of the weights.
struct FusedInputs {
  SmallVector<Value> values;
  SmallVector<Attribute> rows;
  SmallVector<int64_t> columns;

  bool empty() const { return values.empty(); }
  size_t size() const { return values.size(); }
  void add(Value value, Attribute table, int64_t column) {
    values.push_back(value);
    rows.push_back(table);
    columns.push_back(column);
  }
  /// Sets these as the inputs of `op`.
  void assignTo(FusedAffineOp op) const {
    Builder builder(op.getContext());
    op.getInputsMutable().assign(values);
    op.setRowsAttr(builder.getArrayAttr(rows));
    op.setColumns(columns);
  }
};

/// Creates the matmul of `inputs` with the weights of `op` and with its initial
/// value, in a new matrix of `numRows` rows.
inline Value createMatmul(OpBuilder &builder, FusedAffineOp op,
                          const FusedInputs &inputs, int64_t numRows) {
  auto output = cast<MemRefType>(op.getOutput().getType());
  Value product = AllocMatrixUndefinedOp::create(
      builder, op.getLoc(),
      MemRefType::get({numRows, output.getDimSize(1)},
                      output.getElementType()));
  FusedAffineOp::create(builder, op.getLoc(), op.getComponent(), inputs.values,
                        builder.getArrayAttr(inputs.rows),
                        builder.getDenseI64ArrayAttr(inputs.columns),
                        op.getBiasAttr(), op.getInit(),
                        /*epilogue=*/ArrayAttr(),
                        /*residual=*/Value(), builder.getF32FloatAttr(1),
                        product, /*folded=*/SymbolRefAttr());
  return product;
}

/// Sets the inputs of `op` to `inputs`, and its initial value to `init` instead
/// of the bias.
inline void beginWith(FusedAffineOp op, const FusedInputs &inputs, Value init) {
  inputs.assignTo(op);
  op.setBias(false);
  op.getInitMutable().assign(init);
}

} // namespace mlir::nnet3

#endif // NNET3_FUSION_FUSEDINPUTS_H
