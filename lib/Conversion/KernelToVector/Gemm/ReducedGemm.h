//===- ReducedGemm.h - Matmuls in less than f32 -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of a block are converted once, into scratch memory that stays in the
// cache, where the inputs of a row are stored side by side; then all panels are
// multiplied with them. A 32-bit word holds several consecutive columns, both
// in the rows and in the panels, and one dot-product instruction accumulates
// their products. The multiply loops may use scalable vectors; rows are
// converted in fixed-length vectors, which every machine has.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_GEMM_REDUCEDGEMM_H
#define NNET3_CONVERSION_KERNELTOVECTOR_GEMM_REDUCEDGEMM_H

#include "GemmEmitter.h"

namespace mlir::nnet3::kernel {

/// Base class of bf16, int8 and int16. Words have the type f32, but no f32
/// arithmetic is done on them.
class ReducedGemmEmitter : public GemmEmitter {
public:
  ReducedGemmEmitter(const GemmOperands &operands, TargetAttr target,
                     const ImplicitLocOpBuilder &b);

protected:
  /// Converts row `row` of all inputs to scratch memory at offset `place`.
  virtual void convertRow(Value row, Value place) = 0;

  void prepareRows(Value base, Value first, Value last) final;
  /// Goes over row `row` of all inputs in vectors, padded with zeros; `body`
  /// gets a vector and the values that it returned for the previous one.
  SmallVector<Value>
  foldRow(Value row, ValueRange values,
          function_ref<SmallVector<Value>(Value, ValueRange)> body);
  /// Converts a vector with `columns` columns of the row to the same number of
  /// narrower elements, packed in fewer words. May update the values carried
  /// from the previous vector.
  using Conversion = function_ref<Value(Value vector, int64_t columns,
                                        SmallVectorImpl<Value> &carried)>;
  /// Stores the results of `convert` for each vector from offset `place` on.
  /// Returns the values carried from the last vector.
  SmallVector<Value> storeRow(Value row, Value place, Conversion convert,
                              ValueRange carried = {});
  /// Offset of number `i` of row `row`.
  Value getRowNumberPlace(Value row, int64_t i) {
    return addIndex(b, addIndex(b, rowNumbers, row),
                    i * shape.getScratchRows());
  }

  /// A vector with that integer in every lane, as long as `like`.
  Value splatInteger(VectorType like, int64_t value);
  /// Bitcasts a vector to another element type.
  Value bitcast(Value vector, Type element);
  /// Returns `sum`, a vector of `type`, plus the dot products of operands that
  /// were loaded as f32 vectors.
  Value addDotProduct(DotProductAttr instruction, Type type, Element element,
                      Value column, Value sum);
  Type getI32() { return b.getI32Type(); }
  Type getF32() { return b.getF32Type(); }

private:
  using VectorBody = function_ref<SmallVector<Value>(
      Value vector, int64_t columns, Value word, ValueRange carried)>;
  SmallVector<Value> forEachVector(Value row, ValueRange carried,
                                   VectorBody body);
  void mergeFactors();

  /// Numbers in a word of a converted row.
  int64_t getNumbersPerRowWord() const {
    return getNumbersPerWord(shape.precision) / shape.getWordsPerWord();
  }

  /// The inputs in the arena.
  SmallVector<GemmInput> sources;
  SmallVector<Value> sourcePlaces;
  /// Offset of each factor in a converted row, in words.
  SmallVector<int64_t> factorOffsets;
  /// Offset of the numbers per row, relative to row 0.
  Value rowNumbers;
};

std::unique_ptr<GemmEmitter>
createBf16GemmEmitter(const GemmOperands &operands, TargetAttr target,
                      const ImplicitLocOpBuilder &b);
std::unique_ptr<GemmEmitter>
createInt8GemmEmitter(const GemmOperands &operands, TargetAttr target,
                      const ImplicitLocOpBuilder &b);
std::unique_ptr<GemmEmitter>
createInt16GemmEmitter(const GemmOperands &operands, TargetAttr target,
                       const ImplicitLocOpBuilder &b);

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOVECTOR_GEMM_REDUCEDGEMM_H
