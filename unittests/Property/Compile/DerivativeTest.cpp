//===- DerivativeTest.cpp - Derivatives against central differences -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows execution.md 4 on random networks: the program in float32 and the
// evaluator in double precision both differentiate a linear function of the
// outputs in random directions of inputs and parameters.
//
//===----------------------------------------------------------------------===//

#include "DerivativeComparison.h"
#include "PropertyTest.h"

#include <set>

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;

namespace {

class DerivativeTest : public PropertyTest {
protected:
  DerivativeTest() : PropertyTest(/*training=*/true) {}

  static std::unique_ptr<BackwardProgram>
  load(const Case &test, ComputationOp computation, bool poison = false) {
    auto program = BackwardProgram::create(test, computation, poison);
    if (program.ok())
      return std::move(*program);
    ADD_FAILURE() << program.status().message();
    return nullptr;
  }

  static Derivatives run(BackwardProgram &program,
                         const RandomRequest &request) {
    auto derivatives = program.run(request);
    if (derivatives.ok())
      return std::move(*derivatives);
    ADD_FAILURE() << derivatives.status().message();
    return {};
  }

  static Derivatives runOnce(const Case &test, ComputationOp computation) {
    std::unique_ptr<BackwardProgram> program = load(test, computation);
    return program ? run(*program, test.getRequest()) : Derivatives();
  }

  /// The derivatives of a case, and what small changes of its values make of
  /// them.
  static std::vector<Derivatives>
  runPerturbed(const Case &test, ComputationOp computation, Random &random) {
    std::unique_ptr<BackwardProgram> program = load(test, computation);
    std::vector<Derivatives> runs;
    for (int i = 0; program && i < 4; ++i) {
      RandomRequest request = test.getRequest();
      if (i > 0)
        perturbValues(random, request);
      runs.push_back(run(*program, request));
    }
    return runs;
  }
};

} // namespace

/// The backward pass computes the derivatives of the network by its definition.
TEST_F(DerivativeTest, EqualsCentralDifferences) {
  ComparisonCounts counts;
  forEachCase([&](Case &test) {
    Compiled compiled = compile(test, /*foldSequences=*/test.getSeed() % 2);
    if (!compiled.op)
      return;
    Random random(test.getSeed());
    for (int attempt = 0; attempt < 8; ++attempt) {
      std::vector<Derivatives> runs = runPerturbed(test, compiled.op, random);
      if (HasFailure() || compareCase(test, runs, random, counts)) {
        ++counts.cases;
        return;
      }
      ++counts.drawnAgain;
      test.redraw(random);
    }
    ++counts.always;
  });
  std::printf("%d cases, %d directions; drawn again: %d values, %d directions; "
              "%d cases always at a kink\n",
              counts.cases, counts.directions, counts.drawnAgain,
              counts.acrossKinks, counts.always);
  EXPECT_LE(counts.always, counts.cases / 20);
}

/// Two hundred cases cover the backward passes of all components, and all
/// commands that scatter derivatives.
TEST_F(DerivativeTest, CasesCoverAllCommands) {
  std::set<std::string> missing = {"matrix_add", "add_rows", "add_row_ranges",
                                   "add_to_rows_multi"};
  std::unique_ptr<mlir::MLIRContext> context = makeContext();
  for (mlir::RegisteredOperationName name : context->getRegisteredOperations())
    if (name.hasInterface<ComponentOpInterface>())
      missing.insert(name.stripDialect().str());
  missing.erase("dropout_mask"); // has no derivative
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    std::unique_ptr<Case> test = Case::generate(*context, seed, true);
    Compiled compiled = compile(*test);
    if (!compiled.op)
      continue;
    bool isBackward = false;
    for (mlir::Operation &op : compiled.op.getBody().front()) {
      isBackward |= llvm::isa<NoOperationMarkerOp>(op);
      if (isBackward)
        missing.erase(op.getName().stripDialect().str());
      if (auto backprop = llvm::dyn_cast<BackpropOp>(op)) {
        auto name = backprop.getComponent().getLeafReference();
        mlir::Operation *component = test->getNetworkOp().lookupSymbol(name);
        missing.erase(component->getName().stripDialect().str());
      }
    }
  }
  EXPECT_TRUE(missing.empty()) << ::testing::PrintToString(missing);
}

/// Repeated runs give the same bits, also if memory is filled with NaN before,
/// and leave the network's parameters unchanged.
TEST_F(DerivativeTest, RunsRepeatAndLeaveTheModel) {
  forEachComputable([&](const Case &test, ComputationOp computation) {
    std::unique_ptr<BackwardProgram> program = load(test, computation);
    std::unique_ptr<BackwardProgram> poisoned =
        load(test, computation, /*poison=*/true);
    if (HasFailure())
      return;
    std::map<std::string, Tensors> parameters = program->getParameters();
    const RandomRequest &request = test.getRequest();
    Derivatives first = run(*program, request);
    EXPECT_TRUE(run(*program, request) == first);
    EXPECT_TRUE(run(*poisoned, request) == first);
    EXPECT_TRUE(program->getParameters() == parameters);
  });
}

/// Except for rounding, the gradient does not depend on whether input
/// derivatives are requested. Rows that are added to one row are summed as
/// ranges if no other matrix takes some of them, and one by one if an input
/// does.
TEST_F(DerivativeTest, InputDerivativesLeaveTheGradient) {
  forEachComputable([&](const Case &test, ComputationOp computation) {
    RandomRequest request = test.getRequest();
    for (RandomIo &input : request.inputs)
      input.hasDeriv = false;
    if (!request.modelDerivative)
      return;
    std::unique_ptr<Case> other = test.withRequest(request);
    Compiled compiled = compile(*other);
    ASSERT_TRUE(compiled.op) << compiled.diagnostics;
    Derivatives with = runOnce(test, computation);
    Derivatives without = runOnce(*other, compiled.op);
    for (const auto &[component, gradient] : without.of)
      EXPECT_EQ(compareTensors(component, with.of[component], gradient, 1e-5),
                "");
  });
}
