//===- CompressionConverter.cpp - Compressed matrices on a device ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: optimize.md 4.11. The results are bitwise equal to those of
// runtime/cpu/math/Compression.cpp.
//
//===----------------------------------------------------------------------===//

#include "BackwardConverter.h"

#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::nnet3;

static unsigned getBits(CompressedType type) {
  return type.getElementType().getIntOrFloatBitWidth();
}

static bool isSigned(CompressedType type) {
  return type.getElementType().isSignedInteger();
}

static float getLeast(CompressedType type) {
  return isSigned(type) ? -float(1 << (getBits(type) - 1)) : 0;
}

static float getLargest(CompressedType type) {
  return float((1 << (getBits(type) - isSigned(type))) - 1);
}

static Value number(OpBuilder &builder, Location loc, float value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getF32FloatAttr(value));
}

/// Quantises `x`; NaN becomes the smallest integer.
static Value compressNumber(OpBuilder &builder, Location loc, Value x,
                            CompressedType type, float range) {
  Type integer = builder.getIntegerType(getBits(type));
  auto isAbove = [&](Value a, Value b) -> Value {
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, a, b);
  };
  if (range == 0)
    return arith::ExtUIOp::create(builder, loc, integer,
                                  isAbove(x, number(builder, loc, 0)));
  Value least = number(builder, loc, getLeast(type)),
        largest = number(builder, loc, getLargest(type));
  x = arith::MulFOp::create(builder, loc, x,
                            number(builder, loc, getLargest(type) / range));
  x = arith::SelectOp::create(builder, loc, isAbove(x, least), x, least);
  x = arith::SelectOp::create(builder, loc, isAbove(x, largest), largest, x);
  x = math::RoundEvenOp::create(builder, loc, x);
  if (isSigned(type))
    return arith::FPToSIOp::create(builder, loc, integer, x);
  return arith::FPToUIOp::create(builder, loc, integer, x);
}

static Value decompressNumber(OpBuilder &builder, Location loc, Value integer,
                              CompressedType type, float range) {
  Type f32 = builder.getF32Type();
  Value x = isSigned(type)
                ? Value(arith::SIToFPOp::create(builder, loc, f32, integer))
                : Value(arith::UIToFPOp::create(builder, loc, f32, integer));
  if (range == 0)
    return x;
  return arith::MulFOp::create(builder, loc, x,
                               number(builder, loc, range / getLargest(type)));
}

/// Creates views of a matrix and of its integers, which are contiguous. A
/// thread converts four elements, so that no two threads write the same float.
/// If the row length is not a multiple of four, all elements are one row; the
/// lanes past the last element are in the matrix's own memory and never read.
static std::pair<Value, Value> createCompressed(CommandContext &context,
                                                CompressedType type,
                                                Value matrix,
                                                Value compressed) {
  const unsigned bits = getBits(type);
  int64_t rows = type.getRows(), columns = type.getCols();
  if (columns % 4 != 0) {
    columns = llvm::alignTo(rows * columns, 4);
    rows = 1;
  }
  const int64_t floats = columns * bits / 32;
  Value integers = context.kernels.createRows(
      context.arena.getOffset(compressed), rows, floats, floats);
  return {context.kernels.createRows(context.arena.getOffset(matrix), rows,
                                     columns, columns),
          context.kernels.createIntegers(integers, bits)};
}

void mlir::nnet3::compress(CommandContext &context, CompressMatrixOp op) {
  auto [matrix, integers] =
      createCompressed(context, op.getType(), op.getMatrix(), op.getResult());
  kernel::MapOp::create(
      context.kernels.getBuilder(), op.getLoc(), matrix, integers,
      /*accumulate=*/false,
      [&](OpBuilder &builder, Location loc,
          ValueRange values) -> SmallVector<Value> {
        return {compressNumber(builder, loc, values.front(), op.getType(),
                               op.getRange().convertToFloat())};
      });
}

static CompressMatrixOp getSource(DecompressMatrixOp op) {
  return op.getCompressed().getDefiningOp<CompressMatrixOp>();
}

/// Whether a thread can convert four elements of each row of `matrix`.
static bool isAligned(CommandContext &context, Value matrix) {
  return numCols(matrix) % 4 == 0 && getRowStride(matrix) % 4 == 0 &&
         context.arena.getOffset(matrix) % 4 == 0;
}

/// Whether only `user` reads the decompressed matrix before it is freed, and
/// only its signs, of which nothing else was kept.
static bool readsSigns(CommandContext &context, DecompressMatrixOp op,
                       BackpropOp user) {
  if (!getSource(op).getRange().isZero() || !user.getInputDeriv() ||
      user.getOutputValue() != op.getResult() ||
      user.getInputValue() == op.getResult())
    return false;
  auto component = dyn_cast<BackwardKernelInterface>(
      context.components.find(user.getComponent()).getOperation());
  return component && component.hasBackwardKernel() && component.readsSigns() &&
         isAligned(context, user.getOutputDeriv()) &&
         isAligned(context, user.getInputDeriv()) &&
         llvm::any_of(op.getResult().getUsers(),
                      llvm::IsaPred<DeallocMatrixOp>) &&
         llvm::all_of(op.getResult().getUsers(), [&](Operation *other) {
           return other == user || isa<DeallocMatrixOp>(other);
         });
}

void mlir::nnet3::decompress(CommandContext &context, DecompressMatrixOp op) {
  if (llvm::any_of(op.getResult().getUsers(), [&](Operation *user) {
        auto backprop = dyn_cast<BackpropOp>(user);
        return backprop && readsSigns(context, op, backprop);
      }))
    return;
  CompressMatrixOp source = getSource(op);
  auto [matrix, integers] = createCompressed(
      context, source.getType(), op.getResult(), op.getCompressed());
  kernel::MapOp::create(
      context.kernels.getBuilder(), op.getLoc(), integers, matrix,
      /*accumulate=*/false,
      [&](OpBuilder &builder, Location loc,
          ValueRange values) -> SmallVector<Value> {
        return {decompressNumber(builder, loc, values.front(), source.getType(),
                                 source.getRange().convertToFloat())};
      });
}

bool mlir::nnet3::convertFromSigns(CommandContext &context, BackpropOp op,
                                   BackwardKernelInterface component,
                                   bool adds) {
  auto output = op.getOutputValue()
                    ? op.getOutputValue().getDefiningOp<DecompressMatrixOp>()
                    : DecompressMatrixOp();
  if (!output || !readsSigns(context, output, op))
    return false;
  const CompressedType type = getSource(output).getType();
  Value integers = createCompressed(context, type, output.getResult(),
                                    output.getCompressed())
                       .second;
  kernel::MapOp::create(
      context.kernels.getBuilder(), op.getLoc(),
      {integers, context.createMatrix(op.getOutputDeriv())},
      context.createMatrix(op.getInputDeriv()), adds,
      [&](OpBuilder &builder, Location loc,
          ValueRange values) -> SmallVector<Value> {
        Value sign =
            decompressNumber(builder, loc, values[0], type, /*range=*/0);
        ScalarArithmetic arithmetic(builder, loc);
        return {component.emitFromSign(arithmetic, sign, values[1])};
      });
  return true;
}
