//===- Rounds.h - Commands that come again and again ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the same commands come several times, each time with operands that lie
// alike: the rounds that a loop can take the place of.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_LIB_LOOPS_ROUNDS_H
#define NNET3_LIB_LOOPS_ROUNDS_H

#include "nnet3/Dialect/Nnet3/Analysis/MatrixWindow.h"
#include "nnet3/Dialect/Nnet3/Analysis/Repetitions.h"

#include "llvm/ADT/DenseMap.h"

namespace mlir::nnet3 {

/// The commands of a computation, numbered; views are not commands.
class CommandList {
public:
  explicit CommandList(ComputationOp computation);

  ArrayRef<Operation *> getCommands() const { return commands; }
  /// -1 for an operation that is no command of the list.
  int32_t getNumber(Operation *op) const {
    auto known = numbers.find(op);
    return known == numbers.end() ? -1 : known->second;
  }
  /// The commands that use a matrix, or a view of it; for those that are not of
  /// the list, its size.
  SmallVector<int32_t> getUsers(Value matrix) const;
  /// Numbers that agree where commands are the same but for the matrices and
  /// the rows of their operands. What cannot be part of a loop has one of its
  /// own.
  std::vector<int32_t> getSymbols() const;

private:
  std::vector<Operation *> commands;
  DenseMap<Operation *, int32_t> numbers; // only looked up
};

/// Where a round has an operand from.
struct Origin {
  /// The command that makes it, counted within its round; -1: it is from
  /// outside of the rounds.
  int32_t maker = -1;
  /// How many rounds before.
  int32_t distance = 0;
  /// The matrix, where it is from outside.
  Value outside;
  /// Where the operand begins.
  int64_t row = 0;

  bool isInside() const { return maker >= 0; }
  friend bool operator==(const Origin &a, const Origin &b) {
    return a.maker == b.maker && a.distance == b.distance &&
           a.outside == b.outside && (!a.isInside() || a.row == b.row);
  }
};

/// A repetition of commands, and which of its rounds are alike.
class Rounds {
public:
  Rounds(const CommandList &list, const Repetition &repetition)
      : list(list), repetition(repetition) {}

  /// Finds the longest run of rounds whose operands lie alike; false if there
  /// are fewer than `minRounds`.
  bool findRun(int64_t minRounds);

  int64_t getPeriod() const { return repetition.period; }
  int64_t getNumRounds() const { return repetition.rounds; }
  /// The first round of the run, and the one behind its last.
  int64_t getBegin() const { return begin; }
  int64_t getEnd() const { return end; }

  Operation *getCommand(int64_t round, int64_t number) const {
    return list
        .getCommands()[repetition.begin + round * repetition.period + number];
  }
  Origin getOrigin(int64_t round, Value value) const;
  /// By how many rows the operand moves from round to round.
  int64_t getStep(int64_t number, unsigned operand) const;
  /// Of the matrix that a command of each round makes: the most rounds later
  /// that the run uses it.
  int64_t getDistance(int64_t maker) const { return distances[maker]; }
  /// The last round that uses a matrix; the number of rounds if commands behind
  /// them do.
  int64_t getLastUse(Value matrix) const;

private:
  void findDistances();

  const CommandList &list;
  Repetition repetition;
  int64_t begin = 0, end = 0;
  SmallVector<int64_t> distances;
};

/// Erases a command and the views of what it makes, which nothing uses.
void eraseWithViews(Operation *command);

} // namespace mlir::nnet3

#endif // NNET3_LIB_LOOPS_ROUNDS_H
