//===- Rounds.h - Rounds of repeated commands -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds repeated sequences of commands whose operands move by constant
// distances: rounds that a loop can replace.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_LIB_LOOPS_ROUNDS_H
#define NNET3_LIB_LOOPS_ROUNDS_H

#include "nnet3/Dialect/Nnet3/Analysis/MatrixWindow.h"
#include "nnet3/Dialect/Nnet3/Analysis/RegularRun.h"
#include "nnet3/Dialect/Nnet3/Analysis/Repetitions.h"

#include "llvm/ADT/DenseMap.h"

namespace mlir::nnet3 {

/// Rounds without commands (`nnet3.elided_rounds`).
struct Elision {
  ElidedRoundsOp op;
  int64_t count;
  int64_t place; ///< number of the first command behind it
};

/// The commands of a computation, numbered; views are not commands.
class CommandList {
public:
  explicit CommandList(ComputationOp computation);

  ArrayRef<Operation *> getCommands() const { return commands; }
  /// Returns the windows of a command's operands when the list was made; of an
  /// operand that is no matrix, an empty one.
  ArrayRef<MatrixWindow> getWindows(int64_t number) const {
    return ArrayRef(windows).slice(firstWindow[number],
                                   commands[number]->getNumOperands());
  }
  ArrayRef<Elision> getElisions() const { return elisions; }
  /// Returns -1 for an operation that is not in the list.
  int32_t getNumber(Operation *op) const {
    auto known = numbers.find(op);
    return known == numbers.end() ? -1 : known->second;
  }
  /// Reports that a command will be erased; a new one may get its address.
  void forget(Operation *op) { numbers.erase(op); }
  /// Returns the commands that use a matrix or a view of it; the size of the
  /// list stands for commands outside of it.
  SmallVector<int32_t> getUsers(Value matrix) const;
  /// Returns a number for each command that is equal for commands that differ
  /// only in the matrices and the rows of their operands. Commands that cannot
  /// be part of a loop have unique numbers.
  std::vector<int32_t> getSymbols() const;

private:
  struct Kind;

  std::vector<Operation *> commands;
  std::vector<MatrixWindow> windows; ///< of the operands of all commands
  std::vector<int64_t> firstWindow;
  SmallVector<Elision> elisions;
  DenseMap<Operation *, int32_t> numbers; // only looked up
};

/// The origin of an operand of a round.
struct Origin {
  /// Number, within its round, of the command that defines it; -1 if it is
  /// defined outside of the rounds.
  int32_t maker = -1;
  /// Number of rounds before.
  int32_t distance = 0;
  /// The matrix, if it is defined outside of the rounds.
  Value outside;
  /// First row of the operand.
  int64_t row = 0;

  bool isInside() const { return maker >= 0; }
  friend bool operator==(const Origin &a, const Origin &b) {
    return a.maker == b.maker && a.distance == b.distance &&
           a.outside == b.outside && (!a.isInside() || a.row == b.row);
  }
};

/// A repetition of commands, and its longest run of regular rounds. If rounds
/// are elided in the middle, the rows of operands move by the distance of so
/// many rounds more there. Optimisation may let a round use the rows of a later
/// one, so operands do this in different rounds.
class Rounds {
public:
  Rounds(const CommandList &list, const Repetition &repetition);

  /// Finds the longest run of rounds with the same origins and constant steps;
  /// false if it has fewer than `minRounds` rounds.
  bool findRun(int64_t minRounds);

  int64_t getPeriod() const { return repetition.period; }
  /// Number of rounds that have commands.
  int64_t getNumRounds() const { return repetition.rounds; }
  int64_t getNumElided() const { return elision ? elision->count : 0; }
  ElidedRoundsOp getElision() const {
    return elision ? elision->op : ElidedRoundsOp();
  }
  /// Whether a round and all its operands are before the elided rounds, or
  /// behind.
  bool isBeforeElision(int64_t round) const { return round <= lastBefore; }
  bool isBehindElision(int64_t round) const { return round >= firstBehind; }
  /// The first round of the run, and the end of the run.
  int64_t getBegin() const { return begin; }
  int64_t getEnd() const { return end; }

  Operation *getCommand(int64_t round, int64_t number) const {
    return list.getCommands()[getPlace(round, number)];
  }
  /// The matrix that command `maker` allocates in round `round`, or the one
  /// before the first round; null if there is none.
  Value getMatrix(int64_t round, int64_t maker) const {
    return round < 0 ? firstMatrices.lookup(maker)
                     : getCommand(round, maker)->getResult(0);
  }
  /// The origin of an operand of a command in round `round`.
  Origin getOrigin(int64_t round, Value value) const;
  Origin getOrigin(int64_t round, const MatrixWindow &window) const;
  /// Rows that the operand moves per round.
  int64_t getStep(int64_t number, unsigned operand) const {
    return steps[firstOperand[number] + operand];
  }
  /// Frames that the time in a command's precomputed data moves per round.
  int64_t getTimeStep(int64_t number) const {
    Operation *command = getCommand(begin, number);
    return getStep(number, command->getNumOperands());
  }
  /// The largest number of rounds after its definition in which the run uses a
  /// matrix of command `maker`.
  int64_t getDistance(int64_t maker) const { return distances[maker]; }
  /// The number of matrices of command `maker` that exist at a time. A round
  /// that uses an earlier one may do so before it makes its own.
  int64_t getNumSlots(int64_t maker) const {
    return distances[maker] + (lastUsers[maker] >= maker);
  }
  /// The last round that uses a matrix; the number of rounds if later commands
  /// use it.
  int64_t getLastUse(Value matrix) const;

private:
  int64_t getPlace(int64_t round, int64_t number) const {
    return repetition.begin + round * repetition.period + number;
  }
  void findFirstMatrices();
  SmallVector<Origin> getOrigins(int64_t round);
  bool setElision(const RegularRun &run);
  void findDistances();

  const CommandList &list;
  Repetition repetition;
  const Elision *elision = nullptr;
  int numElisions = 0;
  /// Matrices from before the first round, by command of a round. The first
  /// round uses them as later rounds use the command's matrix of the round
  /// before.
  DenseMap<int64_t, Value> firstMatrices;
  DenseMap<Value, int64_t> firstMakers;
  int64_t begin = 0, end = 0;
  /// The elided rounds are between these rounds.
  int64_t lastBefore = 0, firstBehind = 0;
  /// For each command: how many rounds later its matrix is used at most, and
  /// the last command of that round that does so.
  SmallVector<int64_t> distances, lastUsers;
  /// For the operands of all commands of a round, and behind a command's
  /// operands for its time, if it has one.
  SmallVector<int64_t> steps;
  SmallVector<int64_t> firstOperand;
};

/// Returns the time in a command's precomputed data; nothing if there is none.
std::optional<int64_t> getFirstTime(Operation *command);

/// Erases a command whose result is unused, with the views of the result.
void eraseWithViews(Operation *command);

} // namespace mlir::nnet3

#endif // NNET3_LIB_LOOPS_ROUNDS_H
