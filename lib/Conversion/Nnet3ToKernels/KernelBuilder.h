//===- KernelBuilder.h - Operations of the kernel dialect -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_KERNELBUILDER_H
#define NNET3_CONVERSION_NNET3TOKERNELS_KERNELBUILDER_H

#include "Arena/ArenaPlan.h"

#include "nnet3/Conversion/KernelToVector/GemmShape.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"
#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::nnet3 {

/// The operands of a `kernel.gemm`, in the order of its epilogue.
struct GemmViews {
  SmallVector<Value> inputs, epilogue;
  Value weights, output;
  Value bias, init, scratch, scales, sums; ///< null without
};

/// Matrices of the same shape at equal distances.
struct MatrixBatch {
  int64_t place, rows, stride;
  int64_t count = 1, distance = 0;
};

/// Creates the function of a computation, whose arguments are the arena, the
/// packed weights, the row tables and the runtime's context: views of the
/// memory, and operations on them. How large the memory is, is known in the
/// end.
class KernelBuilder {
public:
  explicit KernelBuilder(ComputationOp computation);

  /// Of the operations that follow.
  void setLoc(Location newLoc) { loc = newLoc; }
  Location getLoc() const { return loc; }
  OpBuilder &getBuilder() { return builder; }
  Value index(int64_t value);
  Value getContext() const { return context; }
  /// What follows comes before all other operations.
  void goToBegin() {
    builder.setInsertionPointToStart(&function->getBody().front());
  }

  /// Rows of the arena at distance `stride`; those of a table without one.
  Value createRows(int64_t place, int64_t rows, int64_t columns,
                   std::optional<int64_t> stride);
  Value createRows(const ArenaRows &rows) {
    return createRows(rows.place, rows.rows, rows.columns, rows.stride);
  }
  /// `count` rows for each of `rows` rows.
  Value createRowGroups(int64_t place, int64_t rows, int64_t stride,
                        int64_t count, int64_t distance, int64_t columns);
  /// Ranges of rows, whose first rows and numbers of rows are in tables.
  Value createRowRanges(int64_t begins, int64_t counts, int64_t rows,
                        int64_t columns, int64_t stride);
  /// Floats of the weights, and words of the row tables.
  Value createVector(int64_t place, int64_t size);
  Value createIndexes(int64_t place, int64_t size);
  /// One word for each of `rows` rows.
  Value createRowIndexes(int64_t place, int64_t rows);
  Value createPanels(int64_t place, int64_t panels, int64_t depth,
                     int64_t width);
  Value createScratch(int64_t place, int64_t size);
  /// A matrix of the weights.
  Value createWeights(int64_t place, int64_t rows, int64_t columns,
                      int64_t stride);
  /// Some columns of a view.
  Value createColumns(Value rows, int64_t first, int64_t columns);
  /// The memory of a view as integers of `bits` bits.
  Value createIntegers(Value rows, unsigned bits);

  /// Every element of `rows` becomes `value`.
  void createFill(Value rows, float value);
  void createFill(const ArenaRows &rows, float value) {
    createFill(createRows(rows), value);
  }
  /// Each row of `to` becomes, or adds, `alpha` times that row of `from`.
  void createCopy(Value from, Value to, float alpha = 1, bool adds = false);

  /// A matmul on packed weights; `epilogue` computes an element of the output
  /// from the sum and from the elements of the epilogue's inputs.
  void createGemm(const GemmShape &shape, const GemmViews &views,
                  function_ref<Value(ValueRange)> epilogue);
  /// Matrices with `columns` columns.
  Value createBatch(const MatrixBatch &batch, int64_t columns) {
    return createRowGroups(batch.place, batch.count, batch.distance, batch.rows,
                           batch.stride, columns);
  }
  /// A matmul of a device's library.
  kernel::MatmulOp createMatmul(kernel::MatmulFactors factors, Value weights,
                                Value input, Value output, float beta);

  /// The function, whose memory has these types.
  func::FuncOp finish(MemRefType floats, MemRefType words);

private:
  Value createView(Value base, int64_t place, ArrayRef<int64_t> sizes,
                   ArrayRef<int64_t> strides);

  OwningOpRef<func::FuncOp> function;
  OpBuilder builder;
  Location loc;
  Value arena, weights, tables, context;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_KERNELBUILDER_H
