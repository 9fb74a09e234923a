//===- TestCommandAnalysis.cpp - Print the analysis of commands -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
/// Prints everything that the analysis says, to be compared by FileCheck. With
/// `cached` only whether there is a valid analysis, and then makes one.
class TestCommandAnalysis
    : public PassWrapper<TestCommandAnalysis, OperationPass<ComputationOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestCommandAnalysis)

  TestCommandAnalysis() = default;
  TestCommandAnalysis(const TestCommandAnalysis &other) : PassWrapper(other) {}

  StringRef getArgument() const final { return "nnet3-test-command-analysis"; }
  StringRef getDescription() const final {
    return "print what the commands of a computation read and write";
  }

  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (cached) {
      bool isCached = getCachedAnalysis<CommandAnalysis>().has_value();
      os << "analysis is " << (isCached ? "cached" : "new") << "\n";
    }
    analysis = &getAnalysis<CommandAnalysis>();
    if (cached)
      return;
    os << "computation " << getOperation().getSymName() << "\n";
    for (int32_t m = 0; m < analysis->getNumMatrices(); ++m)
      printMatrix(m);
    for (int32_t c = 0; c < analysis->getNumCommands(); ++c)
      printCommand(c);
  }

private:
  void printAccesses(ArrayRef<Access> accesses) {
    constexpr const char *names[] = {"", "r", "w", "rw"};
    for (const Access &access : accesses)
      os << " " << access.command << names[access.kind]
         << (access.isZeroing ? "0" : "");
    os << "\n";
  }

  void printMatrix(int32_t m) {
    const MatrixAccesses &matrix = analysis->getMatrixAccesses(m);
    os << "m" << m << ": allocate " << matrix.allocate << " deallocate "
       << matrix.deallocate << (matrix.isInput ? " input" : "")
       << (matrix.isOutput ? " output" : "") << " accesses";
    printAccesses(matrix.accesses);
    const MatrixVariables &variables = analysis->getMatrix(m);
    for (int32_t i = 0; i < variables.numVariables(); ++i) {
      int32_t variable = variables.firstVariable + i;
      os << "  ";
      analysis->printVariable(os, variable);
      os << ":";
      printAccesses(analysis->getVariableAccesses(variable));
    }
  }

  /// The queries, for each operand and result that is a matrix.
  void printCommand(int32_t c) {
    Operation *op = analysis->getCommand(c);
    os << "c" << c << ": " << op->getName().stripDialect() << "\n";
    auto print = [&](Value value) {
      if (!isa<MemRefType>(value.getType()))
        return;
      os << "  variables";
      WindowVariables window = analysis->getVariables(value);
      window.forEach([&](int32_t v) {
        os << " ";
        analysis->printVariable(os, v);
      });
      os << ": nontrivial "
         << analysis->getFirstNontrivialAccess(window) << " last "
         << analysis->getLastAccess(window) << " last-write "
         << analysis->getLastWriteAccess(window) << " invalidated "
         << analysis->getDataInvalidatedCommand(c, window) << "\n";
    };
    llvm::for_each(op->getOperands(), print);
    llvm::for_each(op->getResults(), print);
  }

  Option<bool> cached{*this, "cached",
                      llvm::cl::desc("print only whether it was there")};
  raw_ostream &os = llvm::outs();
  CommandAnalysis *analysis = nullptr;
};
} // namespace

namespace mlir::nnet3::test {
void registerTestPasses() { PassRegistration<TestCommandAnalysis>(); }
} // namespace mlir::nnet3::test
