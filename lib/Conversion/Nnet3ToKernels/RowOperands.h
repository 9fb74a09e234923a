//===- RowOperands.h - What the code of a row reads and writes --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_ROWOPERANDS_H
#define NNET3_CONVERSION_NNET3TOKERNELS_ROWOPERANDS_H

#include "WholeRowKernel.h"
#include "nnet3/Conversion/KernelToVector/VectorEmitter.h"

#include "nnet3/Arithmetic/RowEmission.h"

namespace mlir::nnet3 {

/// The operands of a kernel, whoever goes over the columns of a row: lanes of
/// vectors or threads, of which each has one lane.
class RowOperands : public RowEmission {
public:
  RowOperands(const WholeRowKernel &kernel, VectorEmitter &e,
              func::FuncOp function);

  /// What follows is for this row, and for this part of it.
  void setRow(Value row, Value part);

  Value getPart() override { return part; }
  Value load(Value column, int64_t stride = 1) override;
  Value loadFrom(int64_t number, Value column) override;
  Value loadVector(unsigned number, Value column) override;
  Value loadIndex(unsigned number, Value column) override;
  Value loadOutput(Value column) override;
  void store(Value elements, Value column) override;
  Value sumBetween(Value begin, Value end, int64_t typical,
                   function_ref<Value(Value)> body) override;
  SmallVector<Value> sumRows(unsigned number,
                             function_ref<SmallVector<Value>()> body) override;
  Value getNumRows() override;

protected:
  /// As f64.
  Value widen(Value values);
  /// What `body` gives for columns `begin`, ..., `end` - 1, added to `sums`,
  /// the f64 of each lane.
  Value addColumns(Value begin, Value end, Value sums,
                   function_ref<Value(Value)> body);

  const WholeRowKernel &kernel;
  VectorEmitter &e;
  int64_t lanes = 1;

private:
  Value getIndex(Value table, Value entry);
  SmallVector<Value> sumGroup(int64_t count,
                              function_ref<SmallVector<Value>()> body);
  SmallVector<Value> addGroups(Value begin, Value end, int64_t size,
                               ArrayRef<Value> sums,
                               function_ref<SmallVector<Value>()> body);

  Value arena, weights, tables;
  ValueRange vectors, indexes;
  Value outputPlace, inputPlace, rowsTable; ///< of row 0, or of tables
  Value part, input, output, numRows;       ///< of this row
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_ROWOPERANDS_H
