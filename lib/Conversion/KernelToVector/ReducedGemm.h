//===- ReducedGemm.h - Matrix products of less than f32 ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of a block are converted once, into scratch memory that stays in
// the cache, where the inputs of a row stand one behind the other; then all
// panels are multiplied with them. A word of 32 bits holds several numbers of
// consecutive columns, in the rows as in the panels, and one instruction adds
// up their products. Scalable vectors multiply; rows are converted in vectors
// of the length that each machine has.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_REDUCEDGEMM_H
#define NNET3_CONVERSION_KERNELTOVECTOR_REDUCEDGEMM_H

#include "GemmEmitter.h"

namespace mlir::nnet3::kernel {

/// What bf16, int8 and int16 have in common. Words are f32 values that are
/// never computed with.
class ReducedGemmEmitter : public GemmEmitter {
public:
  ReducedGemmEmitter(const GemmOperands &operands, TargetAttr target,
                     const ImplicitLocOpBuilder &b);

protected:
  /// Converts row `row` of all inputs, to the scratch memory from `place` on.
  virtual void convertRow(Value row, Value place) = 0;

  void prepareRows(Value base, Value first, Value last) final;
  /// Goes over row `row` of all inputs in vectors, filled up with zeros;
  /// `body` gets such a vector and what it gave for the one before.
  SmallVector<Value>
  foldRow(Value row, ValueRange values,
          function_ref<SmallVector<Value>(Value, ValueRange)> body);
  /// What becomes of a vector, which has `columns` columns of the row: as many
  /// numbers, in a fraction of the words. It may replace what is carried from
  /// the vector before.
  using Conversion = function_ref<Value(Value vector, int64_t columns,
                                        SmallVectorImpl<Value> &carried)>;
  /// Stores what `convert` makes of each vector from `place` on. Returns what
  /// is carried from the last one.
  SmallVector<Value> storeRow(Value row, Value place, Conversion convert,
                              ValueRange carried = {});
  /// Where number `i` of those that belong to row `row` is.
  Value getRowNumberPlace(Value row, int64_t i) {
    return addIndex(b, addIndex(b, rowNumbers, row),
                    i * shape.getScratchRows());
  }

  /// A vector with that integer everywhere, as long as one of `like`.
  Value splatInteger(VectorType like, int64_t value);
  /// The bits of a vector as elements of another type.
  Value bitcast(Value vector, Type element);
  /// `sum` plus products of what is loaded as f32 vectors: of `type`.
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

  /// The inputs as they are in the arena.
  SmallVector<GemmInput> sources;
  SmallVector<Value> sourcePlaces;
  /// Words of a row in front of each factor.
  SmallVector<int64_t> factorOffsets;
  /// Where the numbers per row are, if those of row 0 were there too.
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

#endif // NNET3_CONVERSION_KERNELTOVECTOR_REDUCEDGEMM_H
