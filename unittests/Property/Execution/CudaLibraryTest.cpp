//===- CudaLibraryTest.cpp - GPU libraries against the interpreter --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contents of a library of nnet3-compile --target=cuda --emit=lib, linked
// into this process, with a fake driver.
//
//===----------------------------------------------------------------------===//

#include "FakeCudaLibrary.h"
#include "NativeExecution.h"
#include "Networks/RandomComponents.h"
#include "PropertyTest.h"

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;

namespace {

class CudaLibraryTest : public PropertyTest {
protected:
  FakeCudaLibrary library;
};

} // namespace

/// A library with two requests, both equal to that of the case.
TEST_F(CudaLibraryTest, SameNumbers) {
  int numCases = 0;
  forEachComputable([&](Case &test, ComputationOp computation) {
    // Compiling for two machines takes long.
    if (test.getSeed() % 4 != 2)
      return;
    Outputs expected = run(test, computation);
    ASSERT_EQ(expected.error, "");
    RequestOp request = test.getRequestOp();
    mlir::OwningOpRef<RequestOp> again = request.clone();
    again->setSymName("again");
    library.build(test.getNetworkOp(), {request, *again});
    ASSERT_FALSE(HasFailure());
    for (int32_t number : {0, 1}) {
      auto instance = library->makeInstance(number);
      ASSERT_TRUE(bool(instance));
      EXPECT_EQ(compareOutputs(runThreeTimes(test, **instance), expected), "");
    }
    library.close();
    ++numCases;
  });
  std::printf("%d cases\n", numCases);
  EXPECT_GT(numCases, 0);
}

/// Launched, recorded and replayed; each run uses the random numbers of the
/// interpreter's run.
TEST_F(CudaLibraryTest, SameRandomNumbers) {
  int numCases = 0;
  forEachCase([&](Case &test) {
    Random random(test.getSeed());
    if (!drawNumbers(test.getNetworkOp(), random))
      return;
    Compiled compiled = compile(test);
    if (!compiled.op)
      return;
    auto program = load(test, compiled.op);
    ASSERT_TRUE(program.ok());
    auto interpreter = ::nnet3::rt::Instance::create(*program);
    ASSERT_TRUE(interpreter.ok());
    library.build(test.getNetworkOp(), {test.getRequestOp()});
    ASSERT_FALSE(HasFailure());
    auto instance = library->makeInstance(0);
    ASSERT_TRUE(bool(instance));
    for (int i = 0; i < 3; ++i) {
      Outputs expected = run(test, **interpreter);
      EXPECT_EQ(compareOutputs(runOnce(test, **instance), expected), "");
    }
    instance->reset();
    library.close();
    ++numCases;
  });
  std::printf("%d cases\n", numCases);
  EXPECT_GT(numCases, 0);
}
