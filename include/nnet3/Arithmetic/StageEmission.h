//===- StageEmission.h - Code of stages of a component ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_STAGEEMISSION_H
#define NNET3_ARITHMETIC_STAGEEMISSION_H

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
  /// Of the backward pass: whether the derivative of the input is wanted, and
  /// the gradient of the parameters.
  bool hasInputDerivative = true, updates = false;
  /// Of statistics: whether there are any to add to.
  bool keepsStatistics = false;
};

/// A matrix that stages keep between them.
struct StageMatrix {
  int64_t place, stride;
};

/// A product in the middle of stages, of matrices in the scratch memory.
struct StageProduct {
  int64_t rows, columns, depth; ///< of the result, of the result, of the sums
  StageMatrix input, output;
  /// What is multiplied with: X^T W, added to gradient `gradient` instead of
  /// written to `output`; without it the component's own weights W: X W.
  std::optional<StageMatrix> factor;
  unsigned gradient = 0;
};

/// Blocks of threads that each compute an item, when all items of the stage
/// before are there. Or a product.
struct KernelStage {
  int64_t items = 0;
  int64_t threads = 1; ///< that an item has work for
  std::optional<StageProduct> product;
};

/// The gradient of a parameter, to which products are added.
struct StagedGradient {
  StringRef name;
  int64_t rows, columns;
};

/// Creates the code of an item of a stage. Rows, columns and places are
/// indexes. The row that is loaded from and stored to has to be set first.
/// What is stored: rows of the output, or of the derivative of the input.
class StageEmission : public ScalarArithmetic {
public:
  using ScalarArithmetic::ScalarArithmetic;
  virtual ~StageEmission() = default;

  /// The row of all matrices.
  virtual void setRow(Value number) = 0;
  /// Elements of the value of the input and of the output, where the component
  /// needs them, and of the derivative of the output.
  virtual Value load(Value column) = 0;
  virtual Value loadOutput(Value column) = 0;
  virtual Value loadDerivative(Value column) = 0;
  /// Elements of kernel vector `number`.
  virtual Value loadVector(unsigned number, Value column) = 0;
  /// What self-repair adds; zero where nothing says.
  virtual Value loadRepair(Value place) = 0;
  virtual void store(Value element, Value column) = 0;
  /// Calls `body` for columns 0, ..., `count` - 1.
  virtual void forEach(int64_t count, function_ref<void(Value)> body) = 0;
  /// Adds up `body` of those columns.
  virtual Value sum(int64_t count, function_ref<Value(Value)> body) = 0;
  /// What the forward pass leaves for the backward pass.
  virtual Value loadMemo(Value place) = 0;
  virtual void storeMemo(Value element, Value place) = 0;
  /// What a stage leaves for the next ones.
  virtual Value loadScratch(Value place) = 0;
  virtual void storeScratch(Value element, Value place) = 0;
  /// The same of a number in double precision, in two floats from `place` on.
  virtual Value loadScratchDouble(Value place) = 0;
  virtual void storeScratchDouble(Value element, Value place) = 0;
  /// An entry of table `number`, an index.
  virtual Value loadTable(unsigned number, Value place) = 0;
  /// The 32 bits that are random number `position` of the command, an i32.
  virtual Value drawBits(Value position) = 0;
  /// Those of `position`, a multiple of four, and of the three behind it.
  virtual SmallVector<Value> drawFour(Value position) = 0;

  // Of statistics (StatisticsInterface.td), in double precision.
  /// A number of statistic `number` of the network itself.
  virtual Value loadOwnStatistic(unsigned number, Value place) = 0;
  /// One of those that the command adds to, which may be the same.
  virtual Value loadStatistic(unsigned number, Value place) = 0;
  virtual void storeStatistic(unsigned number, Value element, Value place) = 0;
  /// What the component's backward pass reads with loadRepair().
  virtual void storeRepair(Value element, Value place) = 0;
  /// What is written: elements of the derivative of the input.
  virtual Value loadStored(Value column) = 0;

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

  /// Calls `body` for 0, 1, ... below `end`, by threads that share them.
  void forEachBelow(Value end, function_ref<void(Value)> body);

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
};

/// Ten rounds of Philox 4x32 (runtime/cpu/math/Random.h): the four numbers of a
/// command in a run from `position` on, a multiple of four. All but the
/// position, an index, are i32.
SmallVector<Value> createRandomBits(OpBuilder &builder, Location loc,
                                    ValueRange seed, Value run, Value command,
                                    Value position);

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_STAGEEMISSION_H
