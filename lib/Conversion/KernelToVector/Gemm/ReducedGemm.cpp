//===- ReducedGemm.cpp - Matmuls in less than f32 -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReducedGemm.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

ReducedGemmEmitter::ReducedGemmEmitter(const GemmOperands &operands,
                                       TargetAttr target,
                                       const ImplicitLocOpBuilder &b)
    : GemmEmitter(operands, target, b), sources(factors),
      sourcePlaces(factorPlaces) {
  mergeFactors();
}

/// Merges inputs whose weights follow each other into one factor.
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
    offset += words * shape.getWordsPerWord();
  }
  factorPlaces.resize(factors.size());
}

void ReducedGemmEmitter::prepareRows(Value base, Value first, Value last) {
  const int64_t stride = shape.getScratchStride();
  Value scratch = operands.scratch;
  // Row `first` is stored in row `base` of the scratch memory; the other
  // scratch rows belong to other threads.
  Value shift = addIndex(b, base, mulIndex(b, first, -1));
  Value place = addIndex(b, scratch, mulIndex(b, shift, stride));
  rowNumbers =
      addIndex(b, addIndex(b, scratch, shift), shape.getScratchRows() * stride);
  forEachStep(b, first, last, 1, [&](Value row) {
    convertRow(row, addIndex(b, place, mulIndex(b, row, stride)));
  });
  for (auto [factorPlace, offset] :
       llvm::zip_equal(factorPlaces, factorOffsets))
    factorPlace = addIndex(b, place, offset);
}

SmallVector<Value> ReducedGemmEmitter::forEachVector(Value row,
                                                     ValueRange carried,
                                                     VectorBody body) {
  const int64_t numbers = getNumbersPerRowWord();
  SmallVector<Value> values = llvm::to_vector(carried);
  int64_t offset = 0;
  for (auto [source, base] : llvm::zip_equal(sources, sourcePlaces)) {
    Value from = getRow(source, base, row, 0);
    const int64_t whole = source.depth / rowLength * rowLength;
    if (whole)
      values =
          scf::ForOp::create(
              b, arith::ConstantIndexOp::create(b, 0),
              arith::ConstantIndexOp::create(b, whole / numbers),
              arith::ConstantIndexOp::create(b, rowLength / numbers), values,
              [&](OpBuilder &, Location, Value word, ValueRange last) {
                Value x = vector::LoadOp::create(
                    b, rowType, arena,
                    addIndex(b, from, mulIndex(b, word, numbers)));
                scf::YieldOp::create(
                    b, body(x, rowLength, addIndex(b, word, offset), last));
              })
              .getResults();
    if (int64_t rest = source.depth - whole)
      values = body(
          loadPart(rowType, arena, addIndex(b, from, whole), rest), rest,
          arith::ConstantIndexOp::create(b, offset + whole / numbers), values);
    offset +=
        llvm::divideCeil(source.depth, getNumbersPerWord(shape.precision)) *
        shape.getWordsPerWord();
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

SmallVector<Value> ReducedGemmEmitter::storeRow(Value row, Value place,
                                                Conversion convert,
                                                ValueRange carried) {
  const int64_t numbers = getNumbersPerRowWord();
  auto body = [&](Value x, int64_t columns, Value word, ValueRange last) {
    SmallVector<Value> values = llvm::to_vector(last);
    Value words = bitcast(convert(x, columns, values), getF32());
    if (columns != rowLength)
      words = vector::ExtractStridedSliceOp::create(
          b, words, ArrayRef<int64_t>{0},
          ArrayRef<int64_t>{int64_t(llvm::divideCeil(columns, numbers))},
          ArrayRef<int64_t>{1});
    vector::StoreOp::create(b, words, arena, addIndex(b, place, word));
    return values;
  };
  return forEachVector(row, carried, body);
}

Value ReducedGemmEmitter::splatInteger(VectorType like, int64_t value) {
  auto type = like.clone(getI32());
  return arith::ConstantOp::create(
      b, type,
      DenseElementsAttr::get(type, APInt(32, value, /*isSigned=*/true)));
}

Value ReducedGemmEmitter::bitcast(Value vector, Type element) {
  auto type = cast<VectorType>(vector.getType());
  const int64_t bits = type.getDimSize(0) * type.getElementTypeBitWidth();
  auto result = VectorType::get({bits / element.getIntOrFloatBitWidth()},
                                element, type.getScalableDims());
  return vector::BitCastOp::create(b, result, vector);
}

Value ReducedGemmEmitter::addDotProduct(DotProductAttr instruction, Type type,
                                        Element element, Value column,
                                        Value sum) {
  Value first = bitcast(element.numbers, type), second = bitcast(column, type);
  // Instructions that take a lane take it from the second factor.
  if (instruction.getTakesLane() ||
      (target.getRowLanes() > 1 && !instruction.getFirstUnsigned()))
    std::swap(first, second);
  SmallVector<Value> operands = {sum, first, second};
  if (instruction.getTakesLane())
    operands.push_back(createLane(element.lane.value_or(0)));
  return LLVM::CallIntrinsicOp::create(
             b, sum.getType(), b.getStringAttr(instruction.getIntrinsic()),
             operands)
      .getResult(0);
}
