//===- ReducedGemm.cpp - Matrix products of less than f32 -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReducedGemm.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

ReducedGemmEmitter::ReducedGemmEmitter(const GemmOperands &operands,
                                       TargetAttr target, OpBuilder &builder,
                                       Location loc)
    : GemmEmitter(operands, target, builder, loc), sources(factors),
      sourcePlaces(factorPlaces) {
  mergeFactors();
}

/// Inputs whose weights follow each other are one factor.
void ReducedGemmEmitter::mergeFactors() {
  const int64_t numbers = getNumbersPerWord(shape.precision);
  factors.clear();
  int64_t offset = 0;
  for (const GemmInput &source : sources) {
    const int64_t words = llvm::divideCeil(source.depth, numbers);
    if (!factors.empty() &&
        factors.back().first + factors.back().depth == source.first) {
      factors.back().depth += words;
    } else {
      factors.push_back({source.first, words, shape.getScratchStride()});
      factorOffsets.push_back(offset);
    }
    offset += words;
  }
  factorPlaces.resize(factors.size());
}

void ReducedGemmEmitter::prepareRows(Value base, Value first, Value last) {
  const int64_t stride = shape.getScratchStride();
  Value scratch = operands.scratch;
  // Row `first` is where row `base` of the scratch memory is: other threads
  // have what is before that and behind.
  Value shift = e.add(base, e.mul(first, -1));
  Value place = e.add(scratch, e.mul(shift, stride));
  rowNumbers = e.add(e.add(scratch, shift), shape.getScratchRows() * stride);
  e.loop(first, last, 1,
         [&](Value row) { convertRow(row, e.add(place, e.mul(row, stride))); });
  for (auto [factorPlace, offset] :
       llvm::zip_equal(factorPlaces, factorOffsets))
    factorPlace = e.add(place, offset);
}

SmallVector<Value> ReducedGemmEmitter::forEachVector(Value row,
                                                     ValueRange carried,
                                                     VectorBody body) {
  const int64_t numbers = getNumbersPerWord(shape.precision);
  SmallVector<Value> values = llvm::to_vector(carried);
  int64_t offset = 0;
  for (auto [source, base] : llvm::zip_equal(sources, sourcePlaces)) {
    Value from = getRow(source, base, row, 0);
    const int64_t whole =
        source.depth / target.getVectorLength() * target.getVectorLength();
    if (whole)
      values = llvm::to_vector(e.loop(
          e.index(0), e.index(whole / numbers),
          target.getVectorLength() / numbers, values,
          [&](Value word, ValueRange last) {
            Value x = e.load(target.getVectorLength(), arena,
                             e.add(from, e.mul(word, numbers)));
            return body(x, target.getVectorLength(), e.add(word, offset), last);
          }));
    if (int64_t rest = source.depth - whole)
      values = body(loadPart(arena, e.add(from, whole), rest), rest,
                    e.index(offset + whole / numbers), values);
    offset += llvm::divideCeil(source.depth, numbers);
  }
  return values;
}

SmallVector<Value> ReducedGemmEmitter::foldRow(
    Value row, ValueRange values,
    function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  return forEachVector(
      row, values,
      [&](Value x, int64_t, Value, ValueRange last) { return body(x, last); });
}

void ReducedGemmEmitter::storeRow(
    Value row, Value place,
    function_ref<Value(Value, int64_t columns)> convert) {
  const int64_t numbers = getNumbersPerWord(shape.precision);
  forEachVector(row, {}, [&](Value x, int64_t columns, Value word, ValueRange) {
    Value words = bitcast(convert(x, columns), getF32());
    if (columns != target.getVectorLength())
      words = vector::ExtractStridedSliceOp::create(
          e.getBuilder(), e.getLoc(), words, ArrayRef<int64_t>{0},
          ArrayRef<int64_t>{int64_t(llvm::divideCeil(columns, numbers))},
          ArrayRef<int64_t>{1});
    e.store(words, arena, e.add(place, word));
    return SmallVector<Value>();
  });
}

Value ReducedGemmEmitter::splatInteger(int64_t value) {
  auto type = VectorType::get({target.getVectorLength()}, getI32());
  return arith::ConstantOp::create(
      e.getBuilder(), e.getLoc(), type,
      DenseElementsAttr::get(type, APInt(32, value, /*isSigned=*/true)));
}

Value ReducedGemmEmitter::bitcast(Value vector, Type element) {
  auto type = cast<VectorType>(vector.getType());
  const int64_t bits = type.getNumElements() * type.getElementTypeBitWidth();
  auto result =
      VectorType::get({bits / element.getIntOrFloatBitWidth()}, element);
  return vector::BitCastOp::create(e.getBuilder(), e.getLoc(), result, vector);
}

Value ReducedGemmEmitter::addDotProduct(DotProductAttr instruction, Type type,
                                        Value element, Value column,
                                        Value sum) {
  return LLVM::CallIntrinsicOp::create(
             e.getBuilder(), e.getLoc(), sum.getType(),
             e.getBuilder().getStringAttr(instruction.getIntrinsic()),
             {sum, bitcast(element, type), bitcast(column, type)})
      .getResult(0);
}
