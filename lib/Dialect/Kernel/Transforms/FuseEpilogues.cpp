//===- FuseEpilogues.cpp - Fuse maps into the matmuls before them ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ViewExtent.h"

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"
#include "nnet3/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::nnet3::kernel {
#define GEN_PASS_DEF_KERNELFUSEEPILOGUES
#include "nnet3/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace mlir::nnet3::kernel

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

namespace {
struct KernelFuseEpilogues
    : public kernel::impl::KernelFuseEpiloguesBase<KernelFuseEpilogues> {
  void runOnOperation() override;
};
} // namespace

/// Whether `input`, which is not the output of `gemm`, can be an epilogue
/// input.
static bool canBeInput(Value input, GemmOp gemm, const ViewExtent &output) {
  Type type = input.getType();
  auto extent = ViewExtent::get(input);
  if (!extent || !extent->isApartFrom(output))
    return false;
  if (isVectorView(type))
    return cast<MemRefType>(type).getDimSize(0) == output.columns;
  return isMatrixView(type) &&
         getShape(type) == getShape(gemm.getOutput().getType());
}

/// Whether `map` updates the matmul's output elementwise and reads otherwise
/// only possible epilogue inputs.
static bool canFuse(GemmOp gemm, MapOp map) {
  auto output = ViewExtent::get(gemm.getOutput());
  if (!output || map.getOutputs().size() != 1 || map.getAccumulate() ||
      map.getForm() || !isMatrixView(map.getOutputs()[0].getType()))
    return false;
  auto written = ViewExtent::get(map.getOutputs()[0]);
  if (!written || !(*written == *output))
    return false;
  return llvm::all_of(map.getInputs(), [&](Value input) {
    auto extent = ViewExtent::get(input);
    return (extent && isMatrixView(input.getType()) && *extent == *output) ||
           canBeInput(input, gemm, *output);
  });
}

static void fuse(GemmOp gemm, MapOp map) {
  const ViewExtent output = *ViewExtent::get(gemm.getOutput());
  Block &epilogue = gemm.getEpilogue().front();
  Operation *yield = epilogue.getTerminator();
  Value sum = yield->getOperand(0);
  OpBuilder builder(yield);
  IRMapping mapping;
  SmallVector<Value> inputs;
  for (auto [input, argument] :
       llvm::zip_equal(map.getInputs(), map.getBody().getArguments())) {
    if (*ViewExtent::get(input) == output) {
      mapping.map(argument, sum);
      continue;
    }
    inputs.push_back(input);
    mapping.map(argument,
                epilogue.addArgument(builder.getF32Type(), map.getLoc()));
  }
  for (Operation &op : map.getBody().front().without_terminator())
    builder.clone(op, mapping);
  yield->setOperand(0,
                    mapping.lookupOrDefault(
                        map.getBody().front().getTerminator()->getOperand(0)));
  // The map's views may be defined after the matmul.
  gemm->moveBefore(map);
  gemm.getEpilogueInputsMutable().append(inputs);
  map.erase();
}

void KernelFuseEpilogues::runOnOperation() {
  SmallVector<Block *> blocks;
  getOperation().walk([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        blocks.push_back(&block);
  });
  for (Block *block : blocks) {
    GemmOp gemm;
    for (Operation &op : llvm::make_early_inc_range(*block)) {
      if (isMemoryEffectFree(&op))
        continue;
      auto map = dyn_cast<MapOp>(op);
      if (gemm && map && canFuse(gemm, map)) {
        fuse(gemm, map);
        ++numFused;
        continue;
      }
      gemm = dyn_cast<GemmOp>(op);
    }
  }
}
