//===- LimitDerivativeTest.cpp - Derivatives of a range of times ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random networks: rows that nnet3-limit-derivative-times removes count as
// zero. A computation that sets these rows to zero before every read gives the
// same results.
//
//===----------------------------------------------------------------------===//

#include "Execution/BackwardProgram.h"
#include "OptimizePasses.h"
#include "PropertyTest.h"

#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"
#include "nnet3/Dialect/Nnet3/IR/DebugInfo.h"

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;
using mlir::cast;
using mlir::Value;

namespace {

struct TimeLimits {
  int32_t min, max;

  bool has(const Index &index) const {
    return index.isBlank() || (index.t >= min && index.t <= max);
  }
  std::string getPass() const {
    return "nnet3-limit-derivative-times{min-deriv-time=" +
           std::to_string(min) + " max-deriv-time=" + std::to_string(max) + "}";
  }
};

/// Zeroes the rows of `value` that are out of range before `op`.
void zeroRows(mlir::Operation *op, Value value, const TimeLimits &range) {
  MatrixWindow window = MatrixWindow::get(value);
  mlir::Operation *matrix = window.matrix.getDefiningOp();
  if (!matrix->hasAttr(kDebugDerivAttr))
    return;
  auto indexes = matrix->getAttrOfType<IndexesAttr>(kDebugIndexesAttr).expand();
  mlir::OpBuilder builder(op);
  for (int64_t row = 0; row < window.rows; ++row) {
    if (range.has(indexes[window.row + row]))
      continue;
    Value view = SubMatrixOp::create(builder, op->getLoc(), value, row, 1, 0,
                                     window.cols);
    SetConstOp::create(builder, op->getLoc(), view, builder.getF32FloatAttr(0));
  }
}

/// Has the same effect as the pass, in another way.
void zeroDerivatives(ComputationOp computation, const TimeLimits &range) {
  ComponentTable components(computation);
  llvm::SmallVector<mlir::Operation *> ops;
  for (mlir::Operation &op : computation.getBody().front())
    ops.push_back(&op);
  for (mlir::Operation *op : ops)
    for (const OperandAccess &access : getOperandAccesses(op, components))
      if (access.kind == Access::Read)
        zeroRows(op, access.value, range);
}

/// Describes a difference of two runs beyond rounding, or returns "".
std::string compare(const Derivatives &actual, const Derivatives &expected) {
  if (actual.outputs != expected.outputs)
    return "outputs differ";
  for (const auto &[target, tensors] : expected.of)
    for (const auto &[name, values] : tensors) {
      const auto &others = actual.of.at(target).at(name);
      double size = 1;
      for (double value : values)
        size = std::max(size, std::abs(value));
      for (size_t i = 0; i < values.size(); ++i)
        if (!(std::abs(others[i] - values[i]) <= 1e-5 * size))
          return target + "." + name + ", element " + std::to_string(i) + ": " +
                 std::to_string(others[i]) + " instead of " +
                 std::to_string(values[i]);
    }
  return "";
}

class LimitDerivativeTest : public PropertyTest {
protected:
  LimitDerivativeTest() : PropertyTest(/*training=*/true) {}

  /// Calls `check` with every case that can be computed.
  void
  forEachComputation(const std::function<void(Case &, ComputationOp)> &check) {
    forEachCase([&](Case &test) {
      ComputationOp op = compile(test, /*foldSequences=*/true,
                                 /*debugInfo=*/true)
                             .op;
      if (op)
        check(test, op);
    });
  }

  /// A copy of `computation` with `passes` run over it.
  ComputationOp optimize(ComputationOp computation, const PassList &passes) {
    mlir::OpBuilder builder(computation);
    auto copy = cast<ComputationOp>(builder.clone(*computation.getOperation()));
    EXPECT_EQ(runPasses(copy, passes), "");
    return copy;
  }
};

} // namespace

TEST_F(LimitDerivativeTest, IsZeroOutOfRange) {
  int numCases = 0, numChanged = 0;
  forEachComputation([&](Case &test, ComputationOp original) {
    Random random(test.getSeed());
    TimeLimits range;
    range.min = random.between(-4, 4);
    range.max = range.min + random.between(0, 8);
    SCOPED_TRACE(range.getPass());
    auto zeroed = cast<ComputationOp>(
        mlir::OpBuilder(original).clone(*original.getOperation()));
    zeroDerivatives(zeroed, range);
    Derivatives expected = runPoisoned(test, zeroed);
    ComputationOp limited = optimize(original, {range.getPass()});
    EXPECT_EQ(compare(runPoisoned(test, limited), expected), "")
        << print(limited);
    OptimizeOptions options;
    options.minDerivTime = range.min;
    options.maxDerivTime = range.max;
    ComputationOp optimized = optimize(original, getPipeline(options));
    EXPECT_EQ(compare(runPoisoned(test, optimized), expected), "");
    ++numCases;
    numChanged += print(limited) != print(original);
  });
  std::printf("%d cases, %d with limits\n", numCases, numChanged);
  if (numCases >= 50)
    EXPECT_GE(numChanged, numCases / 2);
}

TEST_F(LimitDerivativeTest, WideRangeChangesNothing) {
  forEachComputation([&](Case &, ComputationOp original) {
    TimeLimits range{-100000, 100000};
    EXPECT_EQ(print(optimize(original, {range.getPass()})), print(original));
  });
}
