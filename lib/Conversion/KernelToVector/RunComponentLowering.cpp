//===- RunComponentLowering.cpp - Calls of the runtime --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lowerings.h"
#include "nnet3/Conversion/KernelToVector/RowAddresses.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

/// The runtime's function (nnet3/runtime/GeneratedCode.h).
static constexpr StringRef kPropagate = "nnet3lib_propagate";

/// Declares kPropagate: context, call, input and its stride, output and its
/// stride.
static void declarePropagate(ModuleOp module, OpBuilder &builder) {
  if (module.lookupSymbol(kPropagate))
    return;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  Type pointer = LLVM::LLVMPointerType::get(module.getContext());
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  func::FuncOp::create(
      builder, module.getLoc(), kPropagate,
      builder.getFunctionType({pointer, i32, pointer, i64, pointer, i64}, {}))
      .setPrivate();
}

/// Returns the address of row 0 of `view` and its row stride; null and 0
/// without a view.
static FailureOr<std::pair<Value, Value>>
getMatrix(RunComponentOp op, TypedValue<MemRefType> view, OpBuilder &builder) {
  ImplicitLocOpBuilder b(op.getLoc(), builder);
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  Type i64 = b.getI64Type();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, i64, value);
  };
  if (!view)
    return std::pair<Value, Value>{LLVM::ZeroOp::create(b, pointer), number(0)};
  auto rows = RowAddresses::get(b, op, view);
  if (failed(rows))
    return failure();
  Value memory =
      memref::ExtractAlignedPointerAsIndexOp::create(b, rows->getMemory());
  Value address = arith::IndexCastOp::create(b, i64, memory);
  Value base = LLVM::IntToPtrOp::create(b, pointer, address);
  Value offset = arith::IndexCastOp::create(
      b, i64, rows->getRow(b, arith::ConstantIndexOp::create(b, 0)));
  return std::pair<Value, Value>{
      LLVM::GEPOp::create(b, pointer, b.getF32Type(), base, offset),
      number(view.getType().getStridesAndOffset().first.front())};
}

static LogicalResult lowerRunComponent(RunComponentOp op,
                                       PatternRewriter &rewriter) {
  auto input = getMatrix(op, op.getInput(), rewriter);
  auto output = getMatrix(op, op.getOutput(), rewriter);
  if (failed(input) || failed(output))
    return failure();
  declarePropagate(op->getParentOfType<ModuleOp>(), rewriter);
  Value call = arith::IndexCastOp::create(rewriter, op.getLoc(),
                                          rewriter.getI32Type(), op.getCall());
  rewriter.replaceOpWithNewOp<func::CallOp>(
      op, kPropagate, TypeRange(),
      ValueRange{op.getRuntime(), call, input->first, input->second,
                 output->first, output->second});
  return success();
}

void mlir::nnet3::kernel::addRunComponentLowering(RewritePatternSet &patterns) {
  patterns.add(lowerRunComponent);
}
