//===- StageOperands.h - What stages and backward passes read ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_STAGEOPERANDS_H
#define NNET3_CONVERSION_NNET3TOKERNELS_STAGEOPERANDS_H

#include "DoubleMemory.h"
#include "nnet3/Conversion/KernelToVector/VectorEmitter.h"

#include "nnet3/Arithmetic/StageEmission.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include <optional>

namespace mlir::nnet3 {

/// What a kernel of a backward pass, or one of a stage, works on.
struct OperandShapes {
  /// Distances of rows; none where the value is not there.
  std::optional<int64_t> inputStride, outputStride, derivStride;
  std::optional<int64_t> destStride; ///< of what is written
  /// Whether it is added to what is there.
  bool adds = false;
  /// Kernel vectors and tables that are read.
  unsigned numVectors = 0, numTables = 0;
  /// Whether there is memory for memos and scratch.
  bool hasMemory = false;
  /// Whether random numbers are drawn.
  bool draws = false;
  /// What is added to the seed, of a part of a component.
  uint64_t seedOffset = 0;
  /// Where each statistic begins among those of the component; none where there
  /// are no statistics.
  SmallVector<int64_t> statistics;
  /// Whether there is what self-repair adds.
  bool hasRepairs = false;
};

/// The operands as arguments of a launch: arena, weights, row tables,
/// then the places of each vector, each table, the memo and the scratch memory,
/// the state of the random numbers and the number of the command, the
/// component's own statistics and those that are added to, the repairs, what is
/// written, the derivative of the output, and the values of the input and of
/// the output; of all these what is there.
class StageOperands : public StageEmission {
public:
  StageOperands(const OperandShapes &shapes, VectorEmitter &e,
                kernel::LaunchOp launch);

  void setRow(Value number) override { row = number; }

  Value load(Value column) override {
    return load(input, *shapes.inputStride, column);
  }
  Value loadOutput(Value column) override {
    return load(output, *shapes.outputStride, column);
  }
  Value loadDerivative(Value column) override {
    return load(deriv, *shapes.derivStride, column);
  }
  Value loadVector(unsigned number, Value column) override {
    return e.loadScalar(weights, e.add(vectors[number], column));
  }
  Value loadRepair(Value place) override;
  void storeRepair(Value element, Value place) override {
    e.store(element, arena, e.add(repairs, place));
  }
  Value loadStored(Value column) override {
    return load(dest, *shapes.destStride, column);
  }
  void store(Value element, Value column) override {
    Value place = e.add(dest, e.add(e.mul(row, *shapes.destStride), column));
    if (shapes.adds)
      element = add(e.loadScalar(arena, place), element);
    e.store(element, arena, place);
  }

  Value loadMemo(Value place) override {
    return e.loadScalar(arena, e.add(memo, place));
  }
  void storeMemo(Value element, Value place) override {
    e.store(element, arena, e.add(memo, place));
  }
  Value loadScratch(Value place) override {
    return e.loadScalar(arena, e.add(scratch, place));
  }
  void storeScratch(Value element, Value place) override {
    e.store(element, arena, e.add(scratch, place));
  }
  Value loadScratchDouble(Value place) override {
    return loadDouble(e, arena, e.add(scratch, place));
  }
  void storeScratchDouble(Value element, Value place) override {
    storeDouble(e, element, arena, e.add(scratch, place));
  }
  Value loadTable(unsigned number, Value place) override;
  Value drawBits(Value position) override;
  SmallVector<Value> drawFour(Value position) override;

  Value loadOwnStatistic(unsigned number, Value place) override {
    return loadDouble(e, arena, getStatistic(own, number, place));
  }
  Value loadStatistic(unsigned number, Value place) override {
    return loadDouble(e, arena, getStatistic(kept, number, place));
  }
  void storeStatistic(unsigned number, Value element, Value place) override {
    storeDouble(e, element, arena, getStatistic(kept, number, place));
  }

  void forEach(int64_t count, function_ref<void(Value)> body) override {
    e.parallel(e.index(0), e.index(count),
               [&](ValueRange column) { body(column[0]); });
  }
  Value sum(int64_t count, function_ref<Value(Value)> body) override;

private:
  Value load(Value base, int64_t stride, Value column) {
    return e.loadScalar(arena, e.add(base, e.add(e.mul(row, stride), column)));
  }

  /// Where a number of a statistic is, in the two floats that it takes.
  Value getStatistic(Value base, unsigned number, Value place) {
    return e.add(base, e.mul(e.add(place, shapes.statistics[number]), 2));
  }

  OperandShapes shapes;
  VectorEmitter &e;
  Value arena, weights, rowTables, dest, deriv, input, output, row;
  Value memo, scratch, random, command, own, kept, repairs;
  SmallVector<Value> vectors, tables;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_STAGEOPERANDS_H
