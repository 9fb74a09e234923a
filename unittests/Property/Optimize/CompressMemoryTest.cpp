//===- CompressMemoryTest.cpp - Training with compressed matrices ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OptimizeTest covers level 1 of nnet3-compress-memory, which changes no
// results. Level 2 only rounds matrices that the backward pass reads.
//
//===----------------------------------------------------------------------===//

#include "Execution/BackwardProgram.h"
#include "OptimizePasses.h"
#include "PropertyTest.h"

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;

namespace {

class CompressMemoryTest : public PropertyTest {
protected:
  CompressMemoryTest() : PropertyTest(/*training=*/true) {}

  Derivatives run(const Case &test, ComputationOp computation, int32_t level) {
    OptimizeOptions options;
    options.memoryCompressionLevel = level;
    mlir::OpBuilder builder(computation);
    auto copy =
        mlir::cast<ComputationOp>(builder.clone(*computation.getOperation()));
    EXPECT_EQ(runPasses(copy, getPipeline(options)), "");
    numCompressed += level == 2 && !copy.getOps<CompressMatrixOp>().empty();
    return runPoisoned(test, copy);
  }

  int numCompressed = 0;
};

/// Returns the largest difference of two tensors, relative to the largest
/// element.
double getError(const Derivatives &actual, const Derivatives &expected) {
  double error = 0;
  for (const auto &[target, tensors] : expected.of)
    for (const auto &[name, values] : tensors) {
      const Vector &others = actual.of.at(target).at(name);
      double size = 1e-3, difference = 0;
      for (size_t i = 0; i < values.size(); ++i) {
        size = std::max(size, std::abs(values[i]));
        difference = std::max(difference, std::abs(others[i] - values[i]));
      }
      error = std::max(error, difference / size);
    }
  return error;
}

} // namespace

TEST_F(CompressMemoryTest, RoundsWhatTheBackwardPassReads) {
  int numClose = 0;
  forEachComputable([&](Case &test, ComputationOp original) {
    Derivatives expected = run(test, original, 0);
    Derivatives actual = run(test, original, 2);
    EXPECT_EQ(actual.outputs, expected.outputs);
    double error = getError(actual, expected);
    EXPECT_TRUE(std::isfinite(error));
    numClose += error < 0.02;
  });
  std::printf("%d cases with compressed matrices\n", numCompressed);
  // Where values are beyond the range of 10, errors are larger.
  if (numCompressed >= 30)
    EXPECT_GE(numClose, numCompressed * 3 / 4);
}
