//===- FuseAffine.cpp - Fuse affine components ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/IR/FusedCommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"
#include "nnet3/Dialect/Nnet3/IR/RowTableAlgebra.h"
#include "nnet3/Fusion/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3FUSEAFFINE
#include "nnet3/Fusion/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

/// Rows `start`, `start` + `step`, ... (`count` of them).
static RowTableAttr getProgression(MLIRContext *context, int64_t start,
                                   int64_t count, int64_t step) {
  row_table::Code code;
  row_table::appendLoop(code, count, step, {row_table::kRow, 0, start});
  return RowTableAttr::get(context, code);
}

/// Returns the input rows of each time offset.
static SmallVector<Attribute> getRows(PropagateOp op) {
  int64_t count = numRows(op.getOutput());
  SmallVector<int64_t> offsets = {0};
  int64_t step = 1;
  if (auto precomputed = op.getPrecomputedAttr()) {
    auto given = precomputed.getAs<DenseI64ArrayAttr>("row_offsets");
    offsets.assign(given.asArrayRef().begin(), given.asArrayRef().end());
    step = precomputed.getAs<IntegerAttr>("row_stride").getInt();
  }
  return llvm::map_to_vector(offsets, [&](int64_t start) -> Attribute {
    return getProgression(op.getContext(), start, count, step);
  });
}

namespace {

/// Views of columns of a matrix, each created once.
class ColumnViews {
public:
  explicit ColumnViews(Value matrix) : matrix(matrix) {}

  Value get(OpBuilder &builder, int64_t first, int64_t count) {
    if (count == numCols(matrix))
      return matrix;
    Value &view = views[{first, count}];
    if (!view) {
      MatrixWindow window = MatrixWindow::get(matrix);
      window.col += first;
      window.cols = count;
      view = createView(builder, matrix.getLoc(), window);
    }
    return view;
  }

private:
  Value matrix;
  DenseMap<std::pair<int64_t, int64_t>, Value> views;
};

struct FuseAffine : public nnet3::impl::Nnet3FuseAffineBase<FuseAffine> {
  void runOnCommands() override {
    auto &analysis = getAnalysis<CommandAnalysis>();
    for (int32_t c = 0; c < analysis.getNumCommands(); ++c)
      if (auto op = dyn_cast<PropagateOp>(analysis.getCommand(c)))
        fuse(op, c, analysis);
  }

  void fuse(PropagateOp op, int32_t number, CommandAnalysis &analysis) {
    ComponentOpInterface component =
        analysis.getComponents().find(op.getComponent());
    auto affine = dyn_cast<AffineKernelInterface>(component.getOperation());
    if (!affine || !affine.isAffine() || !affine.hasFewTerms())
      return;
    bool adds = has(component.getComponentProperties(),
                    ComponentProperties::PropagateAdds) &&
                analysis.getFirstNontrivialAccess(
                    analysis.getVariables(op.getOutput())) != number;
    SmallVector<Attribute> rows = getRows(op);
    ColumnViews inputs(op.getInput()), outputs(op.getOutput());
    for (int64_t block = 0; block < affine.getNumBlocks(); ++block)
      createBlock(op, affine, block, adds, rows, inputs, outputs);
    op.erase();
    ++numFused;
  }

private:
  void createBlock(PropagateOp op, AffineKernelInterface affine, int64_t block,
                   bool adds, ArrayRef<Attribute> timeRows, ColumnViews &inputs,
                   ColumnViews &outputs);

  PassCount numFused{"affine maps"};
};

} // namespace

/// Creates the fused command for block `block` of the output of `op`.
void FuseAffine::createBlock(PropagateOp op, AffineKernelInterface affine,
                             int64_t block, bool adds,
                             ArrayRef<Attribute> timeRows, ColumnViews &inputs,
                             ColumnViews &outputs) {
  OpBuilder builder(op);
  SmallVector<Value> values;
  SmallVector<Attribute> rows;
  SmallVector<int64_t> columns;
  for (const AffineTerm &term : affine.getTerms(block)) {
    values.push_back(inputs.get(builder, term.input, term.columns));
    rows.push_back(timeRows[term.time]);
    columns.push_back(term.weights);
  }
  const int64_t width = affine.getWeightRows();
  Value output = outputs.get(builder, block * width, width);
  FusedAffineOp::create(
      builder, op.getLoc(), op.getComponent(), values,
      builder.getArrayAttr(rows), builder.getDenseI64ArrayAttr(columns),
      /*bias=*/affine.getBiasName() ? builder.getUnitAttr() : UnitAttr(),
      /*init=*/Value(), /*epilogue=*/ArrayAttr(),
      /*residual=*/adds ? output : Value(), builder.getF32FloatAttr(1), output,
      /*folded=*/SymbolRefAttr());
}
