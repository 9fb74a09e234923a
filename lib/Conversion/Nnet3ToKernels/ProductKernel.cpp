//===- ProductKernel.cpp - Matrix products of a device's library ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ProductKernel.h"
#include "nnet3/Conversion/KernelToVector/VectorEmitter.h"

using namespace mlir;
using namespace mlir::nnet3;

static DictionaryAttr getShape(const ProductKernel &kernel,
                               MLIRContext *context) {
  Builder builder(context);
  auto number = [&](StringRef name, int64_t value) {
    return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
  };
  SmallVector<NamedAttribute> shape = {
      number("batches", kernel.batches),
      builder.getNamedAttr("beta", builder.getF32FloatAttr(kernel.beta)),
      number("columns", kernel.columns), number("depth", kernel.depth),
      // As the library numbers them.
      number("epilogue", kernel.bias ? 4 : 0),
      number("input_batch", kernel.inputBatch),
      number("input_stride", kernel.inputStride),
      number("output_batch", kernel.outputBatch),
      number("output_stride", kernel.outputStride), number("rows", kernel.rows),
      number("weights_stride", kernel.weightsStride)};
  // As CUDA numbers its types.
  if (hasHalves(kernel.precision))
    shape.push_back(
        number("factor_type", kernel.precision == Precision::FP16 ? 2 : 14));
  if (kernel.factors != ProductFactors::Forward)
    shape.push_back(number("factors", int64_t(kernel.factors)));
  return builder.getDictionaryAttr(shape);
}

/// Number `number` of 16 bits behind the float at `begin`.
static Value loadHalf(VectorEmitter &e, Value memory, Value begin, Value number,
                      Precision precision) {
  OpBuilder &builder = e.getBuilder();
  Location loc = e.getLoc();
  Type i32 = builder.getI32Type();
  Value word = arith::BitcastOp::create(
      builder, loc, i32,
      e.loadScalar(memory, e.add(begin, e.divide(number, 2))));
  Value shift = arith::IndexCastOp::create(builder, loc, i32,
                                           e.mul(e.remainder(number, 2), 16));
  Value half = arith::TruncIOp::create(
      builder, loc, builder.getI16Type(),
      arith::ShRUIOp::create(builder, loc, word, shift));
  Type type = precision == Precision::FP16 ? Type(builder.getF16Type())
                                           : Type(builder.getBF16Type());
  return arith::ExtFOp::create(
      builder, loc, builder.getF32Type(),
      arith::BitcastOp::create(builder, loc, type, half),
      arith::FastMathFlagsAttr());
}

void mlir::nnet3::setForm(func::FuncOp function, ProductForm form) {
  if (form != ProductForm::Always)
    function->setAttr(
        "nnet3.form",
        StringAttr::get(function.getContext(),
                        form == ProductForm::Fused ? "fused" : "apart"));
}

void ProductKernel::emit(func::FuncOp function) const {
  OpBuilder builder(function.getContext());
  Location loc = function.getLoc();
  builder.setInsertionPointToStart(function.addEntryBlock());
  VectorEmitter e(builder, loc, /*scalars=*/true);
  Value arena = function.getArgument(0), weights = function.getArgument(1);
  Value w = function.getArgument(getFirstPlace());
  Value x = function.getArgument(getFirstPlace() + 1);
  Value y = function.getArgument(getFirstPlace() + 2);
  Value zero = e.index(0);
  Value factor = factors == ProductFactors::WeightDerivative ? arena : weights;
  const bool isForward = factors == ProductFactors::Forward;
  // Element k of a row of X, or of a column of it; the same of W.
  auto inX = [&](Value begin, Value row, Value k) {
    return factors == ProductFactors::WeightDerivative
               ? e.add(begin, e.add(e.mul(k, inputStride), row))
               : e.add(begin, e.add(e.mul(row, inputStride), k));
  };
  auto inW = [&](Value column, Value k) {
    return isForward ? e.add(e.mul(column, weightsStride), k)
                     : e.add(e.mul(k, weightsStride), column);
  };
  auto load = [&](Value memory, Value begin, Value number) {
    return hasHalves(precision) ? loadHalf(e, memory, begin, number, precision)
                                : e.loadScalar(memory, e.add(begin, number));
  };
  auto emitElement = [&](ValueRange at) {
    Value begin = e.mul(at[0], inputBatch);
    Value to = e.add(e.add(y, e.mul(at[0], outputBatch)),
                     e.add(e.mul(at[1], outputStride), at[2]));
    Value sum = e.loop(
        zero, e.index(depth), 1, e.splat(1, 0),
        [&](Value k, ValueRange carried) -> SmallVector<Value> {
          Value product = arith::MulFOp::create(
              builder, loc, load(arena, x, inX(begin, at[1], k)),
              load(factor, w, inW(at[2], k)));
          return {arith::AddFOp::create(builder, loc, carried[0], product)};
        })[0];
    if (beta != 0) {
      Value before = arith::MulFOp::create(
          builder, loc, e.loadScalar(arena, to), e.splat(1, beta));
      sum = arith::AddFOp::create(builder, loc, sum, before);
    }
    if (bias)
      sum = arith::AddFOp::create(
          builder, loc, sum,
          e.loadScalar(weights, e.add(function.getArgument(getFirstPlace() + 3),
                                      at[2])));
    e.store(sum, arena, to);
  };
  e.parallel({zero, zero, zero},
             {e.index(batches), e.index(rows), e.index(columns)}, emitElement);
  func::ReturnOp::create(builder, loc);
  function->setAttr("nnet3.product", getShape(*this, function.getContext()));
  setForm(function, form);
}
