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

/// The operands of a `kernel.gemm`; `epilogue` in the region's order.
struct GemmViews {
  SmallVector<Value> inputs, epilogue;
  Value weights, output;
  Value bias, init, scratch, scales, sums; ///< null if absent
};

/// Equally spaced matrices of the same shape.
struct MatrixBatch {
  int64_t place, rows, stride;
  int64_t count = 1, distance = 0;
};

/// Creates the function of a computation, with views of memory and operations
/// on them. Its arguments are the arena, the packed weights, the row tables and
/// the runtime's context. Their sizes are set by finish().
class KernelBuilder {
public:
  explicit KernelBuilder(ComputationOp computation);

  /// Sets the location of the operations that follow.
  void setLoc(Location newLoc) { loc = newLoc; }
  Location getLoc() const { return loc; }
  OpBuilder &getBuilder() { return builder; }
  Value index(int64_t value);
  Value getContext() const { return context; }
  /// Moves the insertion point before all other operations.
  void goToBegin() {
    builder.setInsertionPointToStart(&function->getBody().front());
  }

  /// Creates a view of rows of the arena with stride `stride`; without a
  /// stride, the offsets of the rows are in a table at `place`.
  Value createRows(int64_t place, int64_t rows, int64_t columns,
                   std::optional<int64_t> stride);
  Value createRows(const ArenaRows &rows) {
    return createRows(rows.place, rows.rows, rows.columns, rows.stride);
  }
  /// Creates a view of `count` rows for each of `rows` rows.
  Value createRowGroups(int64_t place, int64_t rows, int64_t stride,
                        int64_t count, int64_t distance, int64_t columns);
  /// Creates ranges of rows, whose first rows and lengths are in tables.
  Value createRowRanges(int64_t begins, int64_t counts, int64_t rows,
                        int64_t columns, int64_t stride);
  /// Creates a view of floats of the weights, or of words of the row tables.
  Value createVector(int64_t place, int64_t size);
  Value createIndexes(int64_t place, int64_t size);
  /// Creates a view of one table entry for each of `rows` rows.
  Value createRowIndexes(int64_t place, int64_t rows);
  Value createPanels(int64_t place, int64_t panels, int64_t depth,
                     int64_t width);
  Value createScratch(int64_t place, int64_t size);
  /// Creates a view of a matrix of the weights.
  Value createWeights(int64_t place, int64_t rows, int64_t columns,
                      int64_t stride);
  /// Creates a view of some columns of `rows`.
  Value createColumns(Value rows, int64_t first, int64_t columns);
  /// Creates a view of the same memory as integers of `bits` bits.
  Value createIntegers(Value rows, unsigned bits);

  /// Sets every element of `rows` to `value`.
  void createFill(Value rows, float value);
  void createFill(const ArenaRows &rows, float value) {
    createFill(createRows(rows), value);
  }
  /// Stores `alpha` times each row of `from` to that row of `to`, or adds it.
  void createCopy(Value from, Value to, float alpha = 1, bool adds = false);

  /// Creates a matmul on packed weights; `epilogue` computes an element of the
  /// output from the accumulator and the elements of the epilogue's inputs.
  void createGemm(const GemmShape &shape, const GemmViews &views,
                  function_ref<Value(ValueRange)> epilogue);
  /// Creates a view of matrices with `columns` columns.
  Value createBatch(const MatrixBatch &batch, int64_t columns) {
    return createRowGroups(batch.place, batch.count, batch.distance, batch.rows,
                           batch.stride, columns);
  }
  /// Creates a matmul of a device's BLAS library.
  kernel::MatmulOp createMatmul(kernel::MatmulFactors factors, Value weights,
                                Value input, Value output, float beta);

  /// Returns the function after setting the types of its memory arguments.
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
