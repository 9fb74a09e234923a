//===- PaddingTest.cpp - Outputs on padded input --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Outputs that nnet3-record-padding marks as exact equal those of a request
// without the padded rows, for any padding.
//
//===----------------------------------------------------------------------===//

#include "PropertyTest.h"

#include "nnet3/Compile/Padding.h"

#include <set>

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;

namespace {
class PaddingTest : public PropertyTest {
protected:
  void check(const Case &test);

  int numPadded = 0, numExactOnly = 0;
};
} // namespace

static int32_t getLastTime(const RandomIo &io) {
  int32_t last = io.rows.front().t;
  for (const Index &row : io.rows)
    last = std::max(last, row.t);
  return last;
}

static bool hasOneTime(const RandomIo &io) {
  return llvm::all_of(io.rows,
                      [&](const Index &row) { return row.t == io.rows[0].t; });
}

/// Returns the values of the rows of `io` up to time `last`.
static std::vector<float>
takeRows(const RandomIo &io, const std::vector<float> &values, int32_t last) {
  const size_t cols = values.size() / io.rows.size();
  std::vector<float> taken;
  for (auto [row, index] : llvm::enumerate(io.rows))
    if (index.t <= last)
      taken.insert(taken.end(), values.begin() + row * cols,
                   values.begin() + (row + 1) * cols);
  return taken;
}

/// Returns `io` without the rows after time `last`.
static RandomIo shorten(const RandomIo &io, int32_t last) {
  RandomIo result = io;
  result.values = takeRows(io, io.values, last);
  llvm::erase_if(result.rows, [&](const Index &row) { return row.t > last; });
  result.text = printRows(result.rows, /*ranges=*/true);
  return result;
}

/// Compares the exact output times of a request with padding with those of a
/// request without.
void PaddingTest::check(const Case &test) {
  std::set<int32_t> times;
  for (const RandomIo &io : test.getRequest().outputs)
    for (const Index &row : io.rows)
      times.insert(row.t);
  auto nodes = NodeTable::get(test.getNetworkOp());
  ASSERT_TRUE(mlir::succeeded(nodes));
  auto minOutputs = findMinOutputs(test.getRequestOp(), *nodes);
  ASSERT_TRUE(mlir::succeeded(minOutputs));
  ASSERT_GE(*minOutputs, 1);
  ASSERT_LE(*minOutputs, int64_t(times.size()));
  numExactOnly += *minOutputs == int64_t(times.size());
  for (size_t count = *minOutputs; count < times.size(); ++count) {
    const int32_t last = *std::next(times.begin(), count - 1);
    const int32_t cut = *times.rbegin() - last;
    RandomRequest padded = test.getRequest(), shorter = padded;
    bool isEmpty = false;
    for (auto [io, kept] : llvm::zip_equal(padded.inputs, shorter.inputs)) {
      if (hasOneTime(io))
        continue;
      const int32_t end = getLastTime(io) - cut;
      kept = shorten(io, end);
      isEmpty |= kept.rows.empty();
      const size_t cols = io.values.size() / io.rows.size();
      for (size_t i = 0; i < io.values.size(); ++i)
        if (io.rows[i / cols].t > end)
          io.values[i] = 1000;
    }
    for (RandomIo &io : shorter.outputs) {
      io = shorten(io, last);
      isEmpty |= io.rows.empty();
    }
    if (isEmpty)
      continue;
    auto whole = test.withRequest(padded), part = test.withRequest(shorter);
    Compiled wholeCode = compile(*whole), partCode = compile(*part);
    ASSERT_TRUE(wholeCode.op && partCode.op) << partCode.diagnostics;
    Outputs actual = run(*whole, wholeCode.op);
    Outputs expected = run(*part, partCode.op);
    ASSERT_EQ(actual.error + expected.error, "");
    for (const RandomIo &io : padded.outputs) {
      std::vector<float> kept = takeRows(io, actual.values[io.node], last);
      const std::vector<float> &wanted = expected.values[io.node];
      ASSERT_EQ(kept.size(), wanted.size());
      for (size_t i = 0; i < kept.size(); ++i)
        ASSERT_NEAR(kept[i], wanted[i], 1e-4f * (1 + std::abs(wanted[i])))
            << count << " of " << times.size() << " output times";
    }
    ++numPadded;
  }
}

TEST_F(PaddingTest, ExactOutputsDoNotDependOnIt) {
  forEachComputable([&](Case &test, ComputationOp) { check(test); });
  std::printf("%d padded requests, %d that allow no padding\n", numPadded,
              numExactOnly);
  EXPECT_GT(numPadded, 0);
  EXPECT_GT(numExactOnly, 0);
}
