//===- StageEmission.h - Code of stages of a component ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_STAGEEMISSION_H
#define NNET3_ARITHMETIC_STAGEEMISSION_H

#include "nnet3/Arithmetic/DoubleMemory.h"
#include "nnet3/Arithmetic/RowOperands.h"
#include "nnet3/Arithmetic/ScalarArithmetic.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace mlir::nnet3 {

/// What statistics a stage is of.
enum class StatisticsPhase {
  None,    ///< of none: of the component's own pass
  Forward, ///< of what a forward pass has computed
  Begin,   ///< before the first backward pass of a component in a run
  Before,  ///< before each backward pass
  After    ///< after it
};

/// The command that stages are of.
struct StagedCommand {
  bool isBackward = false;
  StatisticsPhase phase = StatisticsPhase::None;
  int64_t inputRows = 0, outputRows = 0;
  DictionaryAttr precomputed; ///< may be null
  /// Of the backward pass: whether the derivative of the input is wanted.
  bool hasInputDerivative = true;
  /// Of statistics: whether there are any to add to.
  bool keepsStatistics = false;
  /// The offset of each statistic in the statistics of the component.
  SmallVector<int64_t> statistics;
  /// Added to the seed of random numbers; a part of a component has its own.
  uint64_t seedOffset = 0;
};

/// Blocks of threads that each compute an item, when all items of the stage
/// before are there.
struct KernelStage {
  int64_t items = 0;
  int64_t threads = 1; ///< that an item has work for
  /// Items where one thread computes all of them, if not as many.
  std::optional<int64_t> serialItems = std::nullopt;
};

/// Creates the code of an item of a stage, in a `kernel.launch`. Rows, columns
/// and places are indexes. The row that is loaded from and stored to has to be
/// set first. The code stores rows of the output, or in backward passes of the
/// derivative of the input.
class StageEmission : public ScalarArithmetic {
public:
  /// With the arguments of the launch's region.
  StageEmission(OpBuilder &builder, Location loc, RowOperands operands,
                const StagedCommand &command)
      : ScalarArithmetic(builder, loc), operands(std::move(operands)),
        command(command) {}

  /// The row of all matrices.
  void setRow(Value number) { row = number; }
  /// Elements of the value of the input and of the output, where the component
  /// needs them, and of the derivative of the output.
  Value load(Value column) { return loadElement(operands.input, column); }
  Value loadOutput(Value column) {
    return loadElement(operands.output, column);
  }
  Value loadDerivative(Value column) {
    return loadElement(operands.derivative, column);
  }
  /// An element that was stored: of the output, or in backward passes of the
  /// derivative of the input.
  Value loadStored(Value column) {
    return loadElement(operands.stored, column);
  }
  void store(Value element, Value column);
  /// Elements of kernel vector `number`.
  Value loadVector(unsigned number, Value column) {
    return loadFrom(operands.vectors[number], column);
  }
  /// What the component's backward pass reads as repairs.
  void storeRepair(Value element, Value place) {
    storeTo(element, operands.repairs, place);
  }
  Value loadRepair(Value place) { return loadFrom(operands.repairs, place); }
  /// What the forward pass leaves for the backward pass.
  Value loadMemo(Value place) { return loadFrom(operands.memo, place); }
  void storeMemo(Value element, Value place) {
    storeTo(element, operands.memo, place);
  }
  /// What a stage leaves for the next ones.
  Value loadScratch(Value place) { return loadFrom(operands.scratch, place); }
  void storeScratch(Value element, Value place) {
    storeTo(element, operands.scratch, place);
  }
  /// The same of a number in double precision, in two floats from `place` on.
  Value loadScratchDouble(Value place) {
    return loadDouble(*this, operands.scratch, place);
  }
  void storeScratchDouble(Value element, Value place) {
    storeDouble(*this, element, operands.scratch, place);
  }
  /// An entry of table `number`, an index.
  Value loadTable(unsigned number, Value place);
  /// The 32 bits that are random number `position` of the command, an i32.
  Value drawBits(Value position);
  /// Those of `position`, a multiple of four, and of the three behind it.
  SmallVector<Value> drawFour(Value position);

  // Of statistics (StatisticsInterface.td), in double precision.
  /// A number of statistic `number` of the network itself.
  Value loadOwnStatistic(unsigned number, Value place) {
    return loadDouble(*this, operands.own, getStatistic(number, place));
  }
  /// One of those that the command adds to, which may be the same.
  Value loadStatistic(unsigned number, Value place) {
    return loadDouble(*this, operands.kept, getStatistic(number, place));
  }
  void storeStatistic(unsigned number, Value element, Value place) {
    storeDouble(*this, element, operands.kept, getStatistic(number, place));
  }

  /// Calls `body` for columns 0, ..., `count` - 1, by threads that share them.
  void forEach(int64_t count, function_ref<void(Value)> body) {
    forEachBelow(index(count), body);
  }
  /// Adds up `body` of those columns.
  Value sum(int64_t count, function_ref<Value(Value)> body) {
    return sumOverThreads(index(0), index(count), 1, [&](Value i) {
      return SmallVector<Value>{body(i)};
    })[0];
  }
  /// Random number `position`, uniform on [0, 1).
  Value draw(Value position);
  /// One of 0, ..., `last`, an index.
  Value drawInteger(Value position, int64_t last);
  /// Calls `body` for columns 0, ..., `count` - 1 with random number `first` +
  /// column, uniform on [0, 1), where `first` is a multiple of `count`. A
  /// thread draws four at once if it can.
  void forEachDrawn(int64_t count, Value first,
                    function_ref<void(Value column, Value drawn)> body);
  /// How many threads forEachDrawn has work for.
  static int64_t getDrawingThreads(int64_t count) {
    return count % 4 ? count : count / 4;
  }

  /// Calls `body` where `condition`, in a loop over columns.
  void ifTrue(Value condition, function_ref<void()> body);
  /// Adds to a number of a statistic; only one thread may do so at a place.
  void addToStatistic(unsigned statistic, Value element, Value place) {
    storeStatistic(statistic, add(loadStatistic(statistic, place), element),
                   place);
  }

private:
  /// The multiple of 2^-24 that 32 bits are.
  Value getUniform(Value bits);
  Value loadFrom(Value memory, ValueRange place);
  Value loadElement(Value matrix, Value column) {
    return loadFrom(matrix, {row, column});
  }
  void storeTo(Value element, Value memory, ValueRange place);
  /// Where a number of a statistic is, in the two floats that it takes.
  Value getStatistic(unsigned number, Value place) {
    return scale(shift(place, command.statistics[number]), 2);
  }

  RowOperands operands;
  const StagedCommand &command;
  Value row;
};

/// Ten rounds of Philox 4x32 (runtime/cpu/math/Random.h): the four numbers of a
/// command in a run from `position` on, a multiple of four. All but the
/// position, an index, are i32.
SmallVector<Value> createRandomBits(OpBuilder &builder, Location loc,
                                    ValueRange seed, Value run, Value command,
                                    Value position);

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_STAGEEMISSION_H
