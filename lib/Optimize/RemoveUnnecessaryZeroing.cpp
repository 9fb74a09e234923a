//===- RemoveUnnecessaryZeroing.cpp - Leave matrices undefined ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Optimize/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3REMOVEUNNECESSARYZEROING
#include "nnet3/Optimize/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

/// Whether each variable of a matrix is written before it is read.
static bool isOverwritten(const CommandAnalysis &analysis, int32_t matrix) {
  const MatrixVariables &variables = analysis.getMatrix(matrix);
  for (int32_t i = 0; i < variables.numVariables(); ++i) {
    // The first access is the zero-fill itself.
    ArrayRef<Access> accesses =
        analysis.getVariableAccesses(variables.firstVariable + i).drop_front();
    if (accesses.empty() ? analysis.getMatrixAccesses(matrix).isOutput
                         : accesses.front().reads())
      return false;
  }
  return true;
}

namespace {
struct RemoveUnnecessaryZeroing
    : public nnet3::impl::Nnet3RemoveUnnecessaryZeroingBase<
          RemoveUnnecessaryZeroing> {
  void runOnCommands() override {
    auto &analysis = getAnalysis<CommandAnalysis>();
    bool changed = false;
    for (int32_t m = 0; m < analysis.getNumMatrices(); ++m) {
      Value matrix = analysis.getMatrix(m).matrix;
      auto alloc = matrix.getDefiningOp<AllocMatrixZeroedOp>();
      if (!alloc || !isOverwritten(analysis, m))
        continue;
      OpBuilder builder(alloc);
      auto undefined = AllocMatrixUndefinedOp::create(builder, alloc.getLoc(),
                                                      alloc.getType());
      undefined->setDiscardableAttrs(alloc->getDiscardableAttrDictionary());
      alloc.replaceAllUsesWith(undefined.getResult());
      analysis.setUndefined(m, undefined);
      alloc.erase();
      ++numMatrices;
      changed = true;
    }
    if (!changed)
      markAllAnalysesPreserved();
    markAnalysesPreserved<CommandAnalysis>();
  }

private:
  PassCount numMatrices{"matrices not zeroed"};
};
} // namespace
