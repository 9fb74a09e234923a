//===- FusedCommandOps.cpp - Commands for code generation -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/IR/FusedCommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"
#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Verifies input `i` and its row table.
static LogicalResult verifyInput(FusedAffineOp op, unsigned i) {
  auto table = cast<RowTableAttr>(op.getRows()[i]);
  if (table.size() != numRows(op.getOutput()))
    return op.emitOpError("expects row tables with ")
           << numRows(op.getOutput()) << " entries, but got " << table.size();
  SmallVector<int64_t> largest = table.getMaxRows(1);
  if (largest.size() > 1)
    return op.emitOpError("expects row tables of one source");
  if (largest[0] >= numRows(op.getInputs()[i]))
    return op.emitOpError("row table names row ")
           << largest[0] << " of a matrix with " << numRows(op.getInputs()[i])
           << " rows";
  if (op.getColumns()[i] < 0)
    return op.emitOpError("expects columns from 0 on, but got ")
           << op.getColumns()[i];
  return success();
}

LogicalResult FusedAffineOp::verify() {
  size_t numInputs = getInputs().size();
  if (numInputs == 0)
    return emitOpError("expects an input");
  if (getFoldedAttr() && (getInit() || !getBias()))
    return emitOpError("with a folded component expects a bias and no init");
  if (getRows().size() != numInputs || getColumns().size() != numInputs)
    return emitOpError("expects a row table and a column for each of ")
           << numInputs << " inputs, but got " << getRows().size() << " and "
           << getColumns().size();
  for (unsigned i = 0; i < numInputs; ++i)
    if (failed(verifyInput(*this, i)))
      return failure();
  for (Value side : {getInit(), getResidual()})
    if (side &&
        ((numRows(side) != numRows(getOutput()) &&
          (side != getInit() || numRows(getOutput()) % numRows(side) != 0)) ||
         numCols(side) != numCols(getOutput())))
      return emitOpError("expects matrices of ")
             << numRows(getOutput()) << "x" << numCols(getOutput())
             << " to be added, but got " << numRows(side) << "x"
             << numCols(side);
  return success();
}

LogicalResult
FusedAffineOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  auto lookup = [&](SymbolRefAttr name) {
    auto component = symbolTable.lookupNearestSymbolFrom<ComponentOpInterface>(
        getOperation()->getParentOfType<ComputationOp>(), name);
    if (!component)
      emitOpError("refers to an undefined component ") << name;
    return component;
  };
  ComponentOpInterface component = lookup(getComponent());
  if (!component)
    return failure();
  const int64_t columns = component.getAffineDim();
  if (columns == 0)
    return emitOpError("expects an affine component, but got ")
           << component->getName() << " " << getComponent();
  int64_t dim = numCols(getOutput());
  if (columns != dim)
    return emitOpError("expects an output of ")
           << columns << " columns, but got " << dim;
  auto steps = llvm::to_vector(getEpilogueSteps());
  if (getFoldedAttr())
    steps.push_back(getFoldedAttr());
  for (Attribute name : steps) {
    ComponentOpInterface step = lookup(cast<SymbolRefAttr>(name));
    if (!step)
      return failure();
    if (step.getComponentInputDim() % dim != 0)
      return emitOpError("expects an epilogue of dim ")
             << dim << ", but got " << step.getComponentInputDim();
  }
  return success();
}

#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/FusedCommandOps.cpp.inc"
