//===- StageEmission.h - Code of grid-wide phases ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_STAGEEMISSION_H
#define NNET3_ARITHMETIC_STAGEEMISSION_H

#include "nnet3/Arithmetic/DoubleMemory.h"
#include "nnet3/Arithmetic/RowOperands.h"
#include "nnet3/Arithmetic/ScalarArithmetic.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace mlir::nnet3 {

/// The point in time at which a grid-wide phase updates statistics.
enum class StatisticsPhase {
  None,    ///< never: the phase is part of the component's own pass
  Forward, ///< after a forward pass
  Begin,   ///< before the first backward pass of a component in a run
  Before,  ///< before each backward pass
  After    ///< after each backward pass
};

/// The command that is lowered to grid-wide phases.
struct StagedCommand {
  bool isBackward = false;
  StatisticsPhase phase = StatisticsPhase::None;
  int64_t inputRows = 0, outputRows = 0;
  DictionaryAttr precomputed; ///< may be null
  /// For a backward pass: whether to compute the derivative of the input.
  bool hasInputDerivative = true;
  /// For statistics: whether the run has statistics to update.
  bool keepsStatistics = false;
  /// The offset of each statistic in the statistics of the component.
  SmallVector<int64_t> statistics;
  /// Whether other processes compute parts of the same minibatch.
  bool isShared = false;
  /// Added to the seed of random numbers, so that each part of a composite
  /// component has its own seed.
  uint64_t seedOffset = 0;
};

/// A grid-wide phase. Each block of threads computes one item, after all items
/// of the previous phase are complete.
struct KernelStage {
  int64_t items = 0;
  int64_t threads = 1; ///< number of threads with work for an item
  /// Number of items on a CPU, where one thread computes all items; `items` if
  /// not set.
  std::optional<int64_t> serialItems = std::nullopt;
  /// If above 0, there is no code: this many f64 numbers at the start of the
  /// scratch buffer are summed over processes.
  int64_t numReduced = 0;
};

/// Emits the code for one item of a grid-wide phase, in a `kernel.launch`.
/// Rows, columns and offsets are indexes. Call setRow() before elements are
/// loaded or stored. The code stores rows of the output, or in backward passes
/// of the derivative of the input.
class StageEmission : public ScalarArithmetic {
public:
  /// `operands` are the arguments of the launch's region.
  StageEmission(OpBuilder &builder, Location loc, RowOperands operands,
                const StagedCommand &command)
      : ScalarArithmetic(builder, loc), operands(std::move(operands)),
        command(command) {}

  /// Sets the row of all matrices for loads and stores.
  void setRow(Value number) { row = number; }
  /// Load elements of the input, the output and the derivative of the output.
  /// In a backward pass, the input and the output exist only if the component
  /// needs them.
  Value load(Value column) { return loadElement(operands.input, column); }
  Value loadOutput(Value column) {
    return loadElement(operands.output, column);
  }
  Value loadDerivative(Value column) {
    return loadElement(operands.derivative, column);
  }
  /// Loads an element of the destination: of the output, or in backward passes
  /// of the derivative of the input.
  Value loadStored(Value column) {
    return loadElement(operands.stored, column);
  }
  void store(Value element, Value column);
  /// Prefetch the elements that load(), loadOutput() and loadDerivative() load.
  void prefetch(Value column) { prefetchElement(operands.input, column); }
  void prefetchOutput(Value column) {
    prefetchElement(operands.output, column);
  }
  void prefetchDerivative(Value column) {
    prefetchElement(operands.derivative, column);
  }
  /// Loads an element of vector `number` of per-column constants.
  Value loadVector(unsigned number, Value column) {
    return loadFrom(operands.vectors[number], column);
  }
  /// Store and load the repairs that the component's backward pass reads.
  void storeRepair(Value element, Value place) {
    storeTo(element, operands.repairs, place);
  }
  Value loadRepair(Value place) { return loadFrom(operands.repairs, place); }
  /// Load and store the memo that the forward pass stores for the backward
  /// pass.
  Value loadMemo(Value place) { return loadFrom(operands.memo, place); }
  void storeMemo(Value element, Value place) {
    storeTo(element, operands.memo, place);
  }
  /// Load and store the scratch buffer, which later phases read.
  Value loadScratch(Value place) { return loadFrom(operands.scratch, place); }
  void storeScratch(Value element, Value place) {
    storeTo(element, operands.scratch, place);
  }
  /// Load and store an f64 in two floats of the scratch buffer.
  Value loadScratchDouble(Value place) {
    return loadDouble(*this, operands.scratch, place);
  }
  void storeScratchDouble(Value element, Value place) {
    storeDouble(*this, element, operands.scratch, place);
  }
  /// Loads an entry of table `number` as an index.
  Value loadTable(unsigned number, Value place);
  /// Returns the bits of random number `position` of the command, an i32.
  Value drawBits(Value position);
  /// Returns the bits of random numbers `position`, ..., `position` + 3, where
  /// `position` is a multiple of four.
  SmallVector<Value> drawFour(Value position);

  // Statistics (StatisticsInterface.td) are f64.
  /// Loads a value of statistic `number` of the component in the network.
  Value loadOwnStatistic(unsigned number, Value place) {
    return loadDouble(*this, operands.own, getStatistic(number, place));
  }
  /// Load and store the statistics that the command updates. They may be the
  /// same as those of the network.
  Value loadStatistic(unsigned number, Value place) {
    return loadDouble(*this, operands.kept, getStatistic(number, place));
  }
  void storeStatistic(unsigned number, Value element, Value place) {
    storeDouble(*this, element, operands.kept, getStatistic(number, place));
  }

  /// Emits a parallel loop with `body` over columns 0, ..., `count` - 1, which
  /// threads share.
  void forEach(int64_t count, function_ref<void(Value)> body) {
    forEachBelow(index(count), body);
  }
  /// The sum of `body` over columns 0, ..., `count` - 1.
  Value sum(int64_t count, function_ref<Value(Value)> body) {
    return sumOverThreads(index(0), index(count), 1, [&](Value i) {
      return SmallVector<Value>{body(i)};
    })[0];
  }
  /// Random number `position`, uniform on [0, 1).
  Value draw(Value position);
  /// Random number `position` as an index, uniform on 0, ..., `last`.
  Value drawInteger(Value position, int64_t last);
  /// Calls `body` for columns 0, ..., `count` - 1 with random number `first` +
  /// column, uniform on [0, 1), where `first` is a multiple of `count`. A
  /// thread draws four at once if it can.
  void forEachDrawn(int64_t count, Value first,
                    function_ref<void(Value column, Value drawn)> body);
  /// Number of threads that forEachDrawn() has work for.
  static int64_t getDrawingThreads(int64_t count) {
    return count % 4 ? count : count / 4;
  }

  /// Emits `body` in an `scf.if` on `condition`.
  void ifTrue(Value condition, function_ref<void()> body);
  /// Adds `element` to a value of a statistic. Only one thread may update each
  /// value, because the update is not atomic.
  void addToStatistic(unsigned statistic, Value element, Value place) {
    storeStatistic(statistic, add(loadStatistic(statistic, place), element),
                   place);
  }

private:
  /// Converts the upper 24 of 32 random bits to an f32 on [0, 1).
  Value getUniform(Value bits);
  Value loadFrom(Value memory, ValueRange place);
  Value loadElement(Value matrix, Value column) {
    return loadFrom(matrix, {row, column});
  }
  void storeTo(Value element, Value memory, ValueRange place);
  void prefetchElement(Value matrix, Value column);
  /// Offset of the two floats that hold value `place` of a statistic.
  Value getStatistic(unsigned number, Value place) {
    return scale(shift(place, command.statistics[number]), 2);
  }

  RowOperands operands;
  const StagedCommand &command;
  Value row;
};

/// Emits ten rounds of Philox 4x32 (runtime/cpu/math/Random.h), which give the
/// four random numbers from `position` on, a multiple of four, of a command in
/// a run. All values are i32, except for the position, an index.
SmallVector<Value> createRandomBits(OpBuilder &builder, Location loc,
                                    ValueRange seed, Value run, Value command,
                                    Value position);

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_STAGEEMISSION_H
