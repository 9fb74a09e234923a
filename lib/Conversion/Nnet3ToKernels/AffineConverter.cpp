//===- AffineConverter.cpp - Affine commands as matmuls -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AffineConverter.h"

#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::nnet3;

ElementwiseKernelInterface AffineConverter::getElementwise(SymbolRefAttr name) {
  return cast<ElementwiseKernelInterface>(
      context.components.find(name).getOperation());
}

SmallVector<Value> AffineConverter::createStepVectors(FusedAffineOp op) {
  SmallVector<Value> vectors;
  for (Attribute name : op.getEpilogueSteps()) {
    auto step = cast<SymbolRefAttr>(name);
    for (unsigned i = 0; i < getElementwise(step).getNumColumnConstants(); ++i)
      vectors.push_back(context.kernels.createVector(
          context.module.weights.getVector(context.components.find(step), i),
          numCols(op.getOutput())));
  }
  return vectors;
}

Value AffineConverter::createEpilogue(OpBuilder &builder, FusedAffineOp op,
                                      Value sum, ValueRange elements) {
  Location loc = op.getLoc();
  for (Attribute name : op.getEpilogueSteps()) {
    auto step = getElementwise(cast<SymbolRefAttr>(name));
    const unsigned numVectors = step.getNumColumnConstants();
    sum = step.emitElementwise(builder, loc, sum,
                               elements.take_front(numVectors));
    elements = elements.drop_front(numVectors);
  }
  if (!op.getResidual())
    return sum;
  Value scale = arith::ConstantOp::create(
      builder, loc,
      builder.getF32FloatAttr(op.getResidualScale().convertToFloat()));
  // Rounded twice, like separate scale and add commands.
  Value scaled = arith::MulFOp::create(builder, loc, elements.front(), scale);
  return arith::AddFOp::create(builder, loc, sum, scaled);
}
