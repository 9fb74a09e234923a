//===- CommandsTest.cpp - The commands of random networks -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties of the commands, with and without a backward pass.
//
//===----------------------------------------------------------------------===//

#include "PropertyTest.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;

namespace {

/// The parameter is true for cases with derivatives.
class CommandsTest : public PropertyTest,
                     public ::testing::WithParamInterface<bool> {
protected:
  CommandsTest() : PropertyTest(/*training=*/GetParam()) {}
};

} // namespace

/// A computation verifies, and its text parses to an equal one.
TEST_P(CommandsTest, TextRoundTrips) {
  forEachComputable([](const Case &test, ComputationOp computation) {
    ASSERT_TRUE(mlir::succeeded(mlir::verify(test.getModule())));
    std::string text = print(test.getModule());
    auto again = mlir::parseSourceString<mlir::ModuleOp>(
        text, test.getModule().getContext());
    ASSERT_TRUE(again);
    EXPECT_EQ(print(*again), text);
    ComputationOp copy = *again->getOps<ComputationOp>().begin();
    EXPECT_EQ(emit(test, copy), emit(test, computation));
  });
}

/// Compiling twice gives the same bytes.
TEST_P(CommandsTest, CompilingIsDeterministic) {
  forEachComputable([](const Case &test, ComputationOp computation) {
    Compiled again = compile(test);
    ASSERT_TRUE(again.op);
    EXPECT_EQ(print(again.op), print(computation));
    std::string bytes = emit(test, computation);
    EXPECT_NE(bytes, "");
    EXPECT_EQ(emit(test, again.op), bytes);
  });
}

INSTANTIATE_TEST_SUITE_P(Forward, CommandsTest, ::testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Backward, CommandsTest, ::testing::Values(true));
