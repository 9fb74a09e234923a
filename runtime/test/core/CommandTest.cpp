//===- CommandTest.cpp - Commands between matrices ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each command on parts of larger matrices, for several values of alpha,
// against the definitions of execution.md 1.2.
//
//===----------------------------------------------------------------------===//

#include "test/support/ProgramWriter.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

constexpr int32_t kRows = 6, kCols = 8;

/// Source a and destination d, each a 4 x 5 part of a 6 x 8 matrix.
class CommandTest : public testing::TestWithParam<float> {
protected:
  void SetUp() override {
    writer = ProgramWriter();
    aWhole = writer.input("a", kRows, kCols);
    dWhole = writer.input("d", kRows, kCols);
    a = writer.part(aWhole, 1, 4, 2, 5);
    d = writer.part(dWhole, 2, 4, 3, 5);
    aValues = randomMatrix(kRows, kCols, 50);
    dValues = randomMatrix(kRows, kCols, 51);
  }

  /// Element of the parts.
  double A(int32_t r, int32_t c) const { return aValues.at(r + 1, c + 2); }
  double D(int32_t r, int32_t c) const { return dValues.at(r + 2, c + 3); }

  /// Runs the program; the destination must be as \p f says for each element of
  /// the part d, and unchanged around it.
  template <typename Function> void expectD(Function f) {
    writer.output("output", dWhole);
    const Matrix y = run(writer, {{"a", aValues}, {"d", dValues}});
    ASSERT_EQ(y.rows, kRows);
    for (int32_t r = 0; r < kRows; ++r)
      for (int32_t c = 0; c < kCols; ++c) {
        const bool inside = r >= 2 && r < 6 && c >= 3 && c < 8;
        const double wanted =
            inside ? f(r - 2, c - 3) : double(dValues.at(r, c));
        ASSERT_NEAR(y.at(r, c), wanted, 1e-6) << r << ", " << c;
      }
  }

  CommandData make(Opcode opcode, int32_t dst, int32_t src,
                   int32_t table = -1) {
    CommandData data{opcode};
    data.alpha = GetParam();
    data.dst = dst;
    data.src = src;
    data.table = table;
    return data;
  }

  ProgramWriter writer;
  int32_t aWhole, dWhole, a, d;
  Matrix aValues, dValues;
};

TEST_P(CommandTest, SetConst) {
  writer.command(make(Opcode::SetConst, d, -1));
  expectD([&](int32_t, int32_t) { return double(GetParam()); });
}

TEST_P(CommandTest, MatrixCopy) {
  writer.command(make(Opcode::MatrixCopy, d, a));
  expectD([&](int32_t r, int32_t c) { return GetParam() * A(r, c); });
}

TEST_P(CommandTest, MatrixCopyInPlaceScales) {
  writer.command(make(Opcode::MatrixCopy, d, d));
  expectD([&](int32_t r, int32_t c) { return GetParam() * D(r, c); });
}

TEST_P(CommandTest, MatrixAdd) {
  writer.command(make(Opcode::MatrixAdd, d, a));
  expectD([&](int32_t r, int32_t c) { return D(r, c) + GetParam() * A(r, c); });
}

const std::vector<int32_t> kRowList = {3, -1, 0, 3};

TEST_P(CommandTest, CopyRows) {
  writer.command(make(Opcode::CopyRows, d, a, writer.rowTable(kRowList)));
  expectD([&](int32_t r, int32_t c) {
    return kRowList[r] < 0 ? 0 : GetParam() * A(kRowList[r], c);
  });
}

TEST_P(CommandTest, AddRows) {
  writer.command(make(Opcode::AddRows, d, a, writer.rowTable(kRowList)));
  expectD([&](int32_t r, int32_t c) {
    return D(r, c) + (kRowList[r] < 0 ? 0 : GetParam() * A(kRowList[r], c));
  });
}

TEST_P(CommandTest, AddRowRanges) {
  const std::vector<int32_t> begin = {0, -1, 2, 1}, end = {4, -1, 2, 3};
  for (int32_t step : {1, 2, 3, INT32_MAX}) {
    SetUp();
    writer.command(
        make(Opcode::AddRowRanges, d, a, writer.rangeTable(begin, end, step)));
    expectD([&](int32_t r, int32_t c) {
      double sum = 0;
      for (int64_t s = begin[r]; s < end[r]; s += step)
        sum += A(int32_t(s), c);
      return D(r, c) + GetParam() * sum;
    });
  }
}

// Wide enough to be summed in pieces, long enough to be summed several rows at
// a time.
TEST(AddRowRangesTest, ManyRows) {
  const int32_t rows = 1003, cols = 530;
  const Matrix x = randomMatrix(rows, cols, 52);
  for (int32_t step : {1, 7}) {
    ProgramWriter writer;
    const int32_t in = writer.input("a", rows, cols);
    const int32_t out = writer.zeroed(2, cols);
    CommandData ranges{Opcode::AddRowRanges};
    ranges.dst = out;
    ranges.src = in;
    ranges.table = writer.rangeTable({2, 0}, {rows, 12 * step}, step);
    writer.command(ranges);
    writer.output("output", out);
    std::vector<double> expected(2 * cols);
    for (int32_t r = 0; r < rows; ++r)
      for (int32_t c = 0; c < cols; ++c) {
        if (r >= 2 && (r - 2) % step == 0)
          expected[c] += x.at(r, c);
        if (r < 12 * step && r % step == 0)
          expected[cols + c] += x.at(r, c);
      }
    expectNear(run(writer, {{"a", x}}), expected);
  }
}

TEST_P(CommandTest, CopyRowsMulti) {
  const int32_t other = writer.part(aWhole, 0, 6, 0, 5);
  const int32_t table = writer.multiTable({a, -1, other, a}, {2, -1, 5, 0});
  writer.command(make(Opcode::CopyRowsMulti, d, -1, table));
  expectD([&](int32_t r, int32_t c) {
    const double rows[] = {A(2, c), 0, aValues.at(5, c), A(0, c)};
    return GetParam() * rows[r];
  });
}

TEST_P(CommandTest, AddRowsMulti) {
  const int32_t other = writer.part(aWhole, 0, 6, 0, 5);
  const int32_t table = writer.multiTable({a, -1, other, a}, {2, -1, 5, 0});
  writer.command(make(Opcode::AddRowsMulti, d, -1, table));
  expectD([&](int32_t r, int32_t c) {
    const double rows[] = {A(2, c), 0, aValues.at(5, c), A(0, c)};
    return D(r, c) + GetParam() * rows[r];
  });
}

// Row i of a goes to kTargets[i] of d; -1 goes nowhere.
const std::vector<int32_t> kTargets = {3, -1, 0, 2};

TEST_P(CommandTest, AddToRowsMulti) {
  const int32_t table = writer.multiTable({d, -1, d, d}, kTargets);
  writer.command(make(Opcode::AddToRowsMulti, -1, a, table));
  expectD([&](int32_t r, int32_t c) {
    for (int32_t i = 0; i < 4; ++i)
      if (kTargets[i] == r)
        return D(r, c) + GetParam() * A(i, c);
    return D(r, c);
  });
}

TEST_P(CommandTest, CopyToRowsMulti) {
  const int32_t table = writer.multiTable({d, -1, d, d}, kTargets);
  CommandData data = make(Opcode::CopyToRowsMulti, -1, a, table);
  data.alpha = 1;
  writer.command(data);
  expectD([&](int32_t r, int32_t c) {
    for (int32_t i = 0; i < 4; ++i)
      if (kTargets[i] == r)
        return A(i, c);
    return D(r, c);
  });
}

INSTANTIATE_TEST_SUITE_P(Alphas, CommandTest,
                         testing::Values(0.0f, 1.0f, -1.0f, 0.3f));

TEST(CopyTest, AlphaZeroOverwritesNaN) {
  ProgramWriter writer;
  const int32_t a = writer.input("a", 2, 3), out = writer.zeroed(2, 3);
  CommandData copy{Opcode::CopyRows};
  copy.alpha = 0;
  copy.dst = out;
  copy.src = a;
  copy.table = writer.rowTable({1, 0});
  writer.command(copy);
  writer.output("output", out);
  EXPECT_EQ(run(writer, {{"a", Matrix(2, 3, std::nanf(""))}}).values,
            std::vector<float>(6, 0.0f));
}

TEST(MoveTest, ExchangesStorage) {
  ProgramWriter writer;
  const int32_t a = writer.input("a", 2, 3);
  const int32_t b = writer.matrix(2, 3); // does not exist until it is moved to
  CommandData move{Opcode::MoveMatrix};
  move.dst = b;
  move.src = a;
  writer.command(move);
  CommandData alloc{Opcode::AllocMatrixZeroed};
  alloc.dst = a; // a exists no more, so it can begin again
  writer.command(alloc);
  CommandData add{Opcode::MatrixAdd};
  add.dst = b;
  add.src = a;
  writer.command(add);
  writer.output("output", b);
  const Matrix values = randomMatrix(2, 3, 60);
  EXPECT_EQ(run(writer, {{"a", values}}).values, values.values);
}

TEST(PoisonTest, UndefinedMemoryIsNaN) {
  ProgramWriter writer;
  CommandData alloc{Opcode::AllocMatrixUndefined};
  alloc.dst = writer.matrix(2, 3);
  writer.command(alloc);
  CommandData set{Opcode::SetConst};
  set.dst = writer.part(alloc.dst, 0, 1, 0, 3);
  writer.command(set);
  writer.output("output", alloc.dst);
  InstanceOptions options;
  options.poison = true;
  const Matrix y = run(writer, {}, options);
  for (int32_t c = 0; c < 3; ++c) {
    EXPECT_EQ(y.at(0, c), 1.0f);
    EXPECT_TRUE(std::isnan(y.at(1, c)));
  }
}

TEST(TextTest, NotationOfTheReference) {
  ProgramWriter writer;
  const int32_t component =
      writer.component("affine1", "NoOpComponent", {{"dim", 8}});
  const int32_t a = writer.input("x", 6, 8);
  const int32_t out = writer.zeroed(6, 8);
  writer.propagate(component, a, out);
  CommandData add{Opcode::MatrixAdd};
  add.alpha = 0.5;
  add.dst = writer.part(out, 0, 2, 3, 3);
  add.src = writer.part(a, 1, 2, 0, 3);
  writer.command(add);
  CommandData rows{Opcode::CopyRowsMulti};
  rows.dst = writer.part(out, 2, 2, 0, 8);
  rows.table = writer.multiTable({a, -1}, {4, -1});
  writer.command(rows);
  writer.output("output", out);
  auto program = load(writer);
  ASSERT_TRUE(program);
  std::vector<std::string> texts;
  for (int32_t i = 0; i < program->numCommands(); ++i)
    texts.push_back(program->commandText(i));
  EXPECT_EQ(texts, (std::vector<std::string>{
                       "m0 = user input [for node: 'x']", "m1 = zeroed(6,8)",
                       "affine1.Propagate(m0, &m1)",
                       "m1(0:1, 3:5) += 0.5 * m0(1:2, 0:2)",
                       "m1(2:3, :).CopyRowsMulti(1, [m0[4], null])",
                       "output m1 to user [for node: 'output']"}));
}

TEST(TraceTest, SeesValuesBeforeAndAfter) {
  ProgramWriter writer;
  const int32_t out = writer.zeroed(1, 2);
  CommandData set{Opcode::SetConst};
  set.alpha = 3;
  set.dst = out;
  writer.command(set);
  writer.output("output", out);
  std::vector<std::string> log;
  InstanceOptions options;
  options.trace = [&](const TraceEvent &event) {
    std::string line = (event.after ? "after " : "before ") +
                       std::to_string(event.command) + " " +
                       std::string(event.text);
    if (event.numWritten)
      line += " " + std::to_string(int(event.written->data[0]));
    log.push_back(line);
  };
  run(writer, {}, options);
  EXPECT_EQ(log, (std::vector<std::string>{
                     "before 0 m0 = zeroed(1,2)", "after 0 m0 = zeroed(1,2) 0",
                     "before 1 m0.set(3) 0", "after 1 m0.set(3) 3",
                     "before 2 output m0 to user [for node: 'output']",
                     "after 2 output m0 to user [for node: 'output']"}));
}

} // namespace
