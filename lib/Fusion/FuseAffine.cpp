//===- FuseAffine.cpp - Make fused commands of affine components ----------===//

#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/IR/FusedCommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"
#include "nnet3/Dialect/Nnet3/IR/RowTableAlgebra.h"
#include "nnet3/Fusion/KernelInterfaces.h"
#include "nnet3/Fusion/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3FUSEAFFINE
#include "nnet3/Fusion/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

/// `count` rows from `start` on, each `step` further.
static RowTableAttr getProgression(MLIRContext *context, int64_t start,
                                   int64_t count, int64_t step) {
  row_table::Code code;
  row_table::appendLoop(code, count, step, {row_table::kRow, 0, start});
  return RowTableAttr::get(context, code);
}

/// The rows that each block of the weights' columns is multiplied with.
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
struct FuseAffine : public nnet3::impl::Nnet3FuseAffineBase<FuseAffine> {
  void runOnOperation() override {
    auto &analysis = getAnalysis<CommandAnalysis>();
    for (int32_t c = 0; c < analysis.getNumCommands(); ++c)
      if (auto op = dyn_cast<PropagateOp>(analysis.getCommand(c)))
        fuse(op, c, analysis);
  }

  void fuse(PropagateOp op, int32_t number, CommandAnalysis &analysis) {
    ComponentOpInterface component =
        analysis.getComponents().find(op.getComponent());
    auto affine = dyn_cast<AffineKernelInterface>(component.getOperation());
    if (!affine)
      return;
    bool adds = has(component.getComponentProperties(),
                    ComponentProperties::PropagateAdds) &&
                analysis.getFirstNontrivialAccess(
                    analysis.getVariables(op.getOutput())) != number;
    SmallVector<Attribute> rows = getRows(op);
    SmallVector<Value> inputs(rows.size(), op.getInput());
    auto columns = llvm::to_vector(
        llvm::map_range(llvm::seq<int64_t>(0, rows.size()), [&](int64_t i) {
          return i * component.getComponentInputDim();
        }));
    OpBuilder builder(op);
    FusedAffineOp::create(
        builder, op.getLoc(), op.getComponent(), inputs,
        builder.getArrayAttr(rows), builder.getDenseI64ArrayAttr(columns),
        /*bias=*/affine.getBiasName() ? builder.getUnitAttr() : UnitAttr(),
        /*init=*/adds ? op.getOutput() : Value(), /*epilogue=*/ArrayAttr(),
        /*residual=*/Value(), builder.getF32FloatAttr(1), op.getOutput(),
        /*folded=*/SymbolRefAttr());
    op.erase();
    ++numFused;
  }

private:
  PassCount numFused{"affine maps"};
};
} // namespace
