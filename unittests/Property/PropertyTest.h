//===- PropertyTest.h - Runs a check on many random cases -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NNET3_PROPERTY_CASES sets the number of cases, NNET3_PROPERTY_SEED the first
// seed.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_UNITTESTS_PROPERTY_PROPERTYTEST_H
#define NNET3_UNITTESTS_PROPERTY_PROPERTYTEST_H

#include "Execution/Execution.h"

#include "gtest/gtest.h"
#include <cstdlib>

namespace mlir::nnet3::property {

/// Calls `check` with every case; stops at the first failure and prints how to
/// repeat it.
class PropertyTest : public ::testing::Test {
protected:
  /// For `training` see `Case::generate`.
  explicit PropertyTest(bool training = false) : training(training) {}

  void forEachCase(const std::function<void(Case &)> &check) {
    for (uint64_t seed : getSeeds()) {
      std::unique_ptr<MLIRContext> context = makeContext();
      std::unique_ptr<Case> test = Case::generate(*context, seed, training);
      ASSERT_EQ(test->getError(), "") << test->reproducer();
      check(*test);
      ASSERT_FALSE(HasFailure()) << test->reproducer();
    }
  }

  /// Calls `check` with every computable case.
  void
  forEachComputable(const std::function<void(Case &, ComputationOp)> &check) {
    forEachCase([&](Case &test) {
      Compiled compiled = compile(test);
      if (compiled.op)
        check(test, compiled.op);
    });
  }

private:
  /// Returns the seeds. If the first seed is not given, seeds of earlier
  /// failures are included.
  static std::vector<uint64_t> getSeeds() {
    std::vector<uint64_t> seeds;
    if (!std::getenv("NNET3_PROPERTY_SEED"))
      seeds = {795, 844, 2792, 10030, 11018};
    uint64_t first = fromEnvironment("NNET3_PROPERTY_SEED", 1);
    uint64_t count = fromEnvironment("NNET3_PROPERTY_CASES", 100);
    for (uint64_t seed = first; seed < first + count; ++seed)
      seeds.push_back(seed);
    return seeds;
  }

  static uint64_t fromEnvironment(const char *name, uint64_t fallback) {
    const char *text = std::getenv(name);
    return text ? std::strtoull(text, nullptr, 10) : fallback;
  }

  bool training;
};

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_PROPERTYTEST_H
