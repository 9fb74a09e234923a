//===- LoopTest.cpp - Programs with loops ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/support/ProgramWriter.h"

#include <functional>
#include <gtest/gtest.h>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

constexpr int32_t kRows = 6, kCols = 3;

/// Sums over the rows before: row r + 1 of the output is its row r and row r +
/// 1 of the input, in five rounds. A matrix of each round holds the sum.
struct Sums {
  Sums() {
    in = writer.input("input", kRows, kCols);
    out = writer.zeroed(kRows, kCols);
    add(Opcode::MatrixAdd, writer.part(out, 0, 1, 0, kCols),
        writer.part(in, 0, 1, 0, kCols));
    loop = writer.commands.size();
    repeat(kRows - 1, 5);
    local = writer.matrix(1, kCols);
    before = writer.part(out, 0, 1, 0, kCols, /*rowStep=*/1);
    after = writer.part(out, 1, 1, 0, kCols, /*rowStep=*/1);
    row = writer.part(in, 1, 1, 0, kCols, /*rowStep=*/1);
    add(Opcode::AllocMatrixZeroed, local, -1);
    add(Opcode::MatrixAdd, local, before);
    add(Opcode::MatrixAdd, local, row);
    add(Opcode::MatrixCopy, after, local);
    add(Opcode::DeallocMatrix, local, -1);
  }

  CommandData &add(Opcode opcode, int32_t dst, int32_t src) {
    CommandData data{opcode};
    data.dst = dst;
    data.src = src;
    writer.command(data);
    return writer.commands.back();
  }
  void repeat(int32_t rounds, int32_t commands) {
    CommandData data{Opcode::Repeat};
    data.table = rounds;
    data.memo = commands;
    writer.command(data);
  }
  CommandData &inLoop(size_t number) {
    return writer.commands[loop + 1 + number];
  }

  ProgramWriter writer;
  size_t loop;
  int32_t in, out, local, before, after, row;
};

/// Expects that loading the program that \p change made wrong fails with a
/// message that contains \p text.
void expectError(const std::string &text,
                 const std::function<void(Sums &)> &change) {
  Sums sums;
  change(sums);
  sums.writer.output("output", sums.out);
  const std::string error = loadError(sums.writer);
  EXPECT_NE(error.find(text), std::string::npos)
      << "got '" << error << "', expected '" << text << "'";
}

TEST(LoopTest, GoesOnFromRoundToRound) {
  Sums sums;
  sums.writer.output("output", sums.out);
  const Matrix values = randomMatrix(kRows, kCols, 70);
  const Matrix y = run(sums.writer, {{"input", values}});
  for (int32_t c = 0; c < kCols; ++c) {
    float sum = 0;
    for (int32_t r = 0; r < kRows; ++r) {
      sum += values.at(r, c);
      EXPECT_EQ(y.at(r, c), sum) << r << ", " << c;
    }
  }
}

/// Rows that a table names lie in windows that move, too.
TEST(LoopTest, MovesTheWindowsOfTables) {
  Sums sums;
  CommandData copy{Opcode::CopyRowsMulti};
  copy.dst = sums.after;
  copy.table = sums.writer.multiTable({sums.row}, {0});
  sums.inLoop(3) = copy;
  sums.writer.output("output", sums.out);
  const Matrix values = randomMatrix(kRows, kCols, 71);
  EXPECT_EQ(run(sums.writer, {{"input", values}}).values, values.values);
}

/// The command numbers that select random numbers continue over iterations and
/// after the loop.
TEST(LoopTest, DrawsAsTheSameCommandsOneByOne) {
  auto runDropout = [](bool loops) {
    ProgramWriter writer;
    const int32_t dropout =
        writer.component("dropout", "DropoutComponent",
                         {{"dim", kCols}, {"dropout_proportion", 0.5}});
    const int32_t in = writer.input("input", kRows, kCols);
    const int32_t out = writer.zeroed(kRows, kCols);
    if (loops) {
      CommandData repeat{Opcode::Repeat};
      repeat.table = kRows - 1;
      repeat.memo = 1;
      writer.command(repeat);
      writer.propagate(dropout, writer.part(in, 0, 1, 0, kCols, 1),
                       writer.part(out, 0, 1, 0, kCols, 1));
    }
    for (int32_t r = loops ? kRows - 1 : 0; r < kRows; ++r)
      writer.propagate(dropout, writer.part(in, r, 1, 0, kCols),
                       writer.part(out, r, 1, 0, kCols));
    writer.output("output", out);
    return run(writer, {{"input", Matrix(kRows, kCols, 1.0f)}}).values;
  };
  EXPECT_EQ(runDropout(true), runDropout(false));
}

TEST(LoopTest, TracesEveryRound) {
  Sums sums;
  sums.writer.output("output", sums.out);
  InstanceOptions options;
  int copies = 0;
  options.trace = [&](const TraceEvent &event) {
    copies += event.after && event.text == "m1(1 + 1 * round, :) = m2";
  };
  run(sums.writer, {{"input", randomMatrix(kRows, kCols, 72)}}, options);
  EXPECT_EQ(copies, kRows - 1);
}

TEST(LoopTest, RefusesCountsThatAreNotThere) {
  expectError("command 3 (repeat): expects a round or more, but got 0",
              [](Sums &s) { s.writer.commands[s.loop].table = 0; });
  expectError("expects from 1 to 6 commands, but got 0",
              [](Sums &s) { s.writer.commands[s.loop].memo = 0; });
  expectError("expects from 1 to 6 commands, but got 7",
              [](Sums &s) { s.writer.commands[s.loop].memo = 7; });
}

TEST(LoopTest, RefusesWindowsThatLeaveTheirMatrix) {
  expectError("leaves its matrix in a round",
              [](Sums &s) { s.writer.commands[s.loop].table = kRows; });
  expectError("leaves its matrix in a round", [](Sums &s) {
    s.inLoop(2).src = s.writer.part(s.in, 3, 1, 0, kCols, -1);
  });
  expectError("does not move outside of a loop",
              [](Sums &s) { s.add(Opcode::SetConst, s.row, -1); });
}

TEST(LoopTest, RefusesWhatCannotRepeat) {
  expectError("cannot be in a loop", [](Sums &s) {
    s.inLoop(2) = CommandData{Opcode::NoOperationMarker};
  });
  expectError("cannot be in a loop",
              [](Sums &s) { s.inLoop(0) = CommandData{Opcode::Repeat}; });
  // Provides the output in the loop.
  expectError("cannot be in a loop",
              [](Sums &s) { s.writer.commands[s.loop].memo = 6; });
  expectError("is from outside of the loop", [](Sums &s) {
    s.inLoop(4) = CommandData{Opcode::DeallocMatrix};
    s.inLoop(4).dst = s.in;
  });
  expectError("matrix 2 does not end in its round of a loop",
              [](Sums &s) { s.writer.commands[s.loop].memo = 4; });
}

TEST(LoopTest, RefusesWindowsThatOverlapInSomeRounds) {
  // Row r is written while row 5 - r is read.
  expectError("overlap", [](Sums &s) {
    s.inLoop(3).src = s.writer.part(s.out, kRows - 1, 1, 0, kCols, -1);
  });
  // Rows that are as far from each other in every round do not overlap.
  Sums sums;
  sums.inLoop(3).src = sums.before;
  sums.writer.output("output", sums.out);
  EXPECT_EQ(loadError(sums.writer), "");
}

} // namespace
