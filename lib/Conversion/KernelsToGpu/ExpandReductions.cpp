//===- ExpandReductions.cpp - Lower reductions to shuffles ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The upstream patterns of the gpu dialect let several threads write the
// result, and if the number of warps is not a power of two, some of these
// threads have only a partial result.
//
//===----------------------------------------------------------------------===//

#include "ThreadLoops.h"

#include "nnet3/Conversion/KernelsToGpu/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3EXPANDGPUREDUCTIONS
#include "nnet3/Conversion/KernelsToGpu/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {

struct ExpandReductions
    : public mlir::nnet3::impl::Nnet3ExpandGpuReductionsBase<ExpandReductions> {
  void runOnOperation() override;
};

/// Emits the expansion of a reduction in front of it.
class Expansion {
public:
  Expansion(Operation *reduce, gpu::AllReduceOperation kind)
      : kind(kind), builder(reduce), loc(reduce->getLoc()) {}

  Value reduceWarp(Value value);
  /// Reduces one value per warp over a block of several warps.
  Value combineWarps(Value value, gpu::GPUFuncOp function, int32_t numWarps);

private:
  Value combine(Value a, Value b);
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  gpu::AllReduceOperation kind;
  OpBuilder builder;
  Location loc;
};

} // namespace

Value Expansion::combine(Value a, Value b) {
  if (kind == gpu::AllReduceOperation::ADD)
    return arith::AddFOp::create(builder, loc, a, b);
  return arith::MaximumFOp::create(builder, loc, a, b);
}

/// After the butterfly shuffle, all threads of a warp have the same bits: each
/// step adds the same pair in both threads, and a + b is b + a.
Value Expansion::reduceWarp(Value value) {
  for (int32_t offset = 1; offset < kWarp; offset *= 2) {
    auto other = gpu::ShuffleOp::create(builder, loc, value, offset, kWarp,
                                        gpu::ShuffleMode::XOR);
    value = combine(value, other.getShuffleResult());
  }
  return value;
}

/// The first thread of each warp stores its value; then all threads load all
/// values and reduce them in the same order.
Value Expansion::combineWarps(Value value, gpu::GPUFuncOp function,
                              int32_t numWarps) {
  auto space = gpu::AddressSpaceAttr::get(builder.getContext(),
                                          gpu::AddressSpace::Workgroup);
  Value buffer = function.addWorkgroupAttribution(
      MemRefType::get({numWarps}, value.getType(), MemRefLayoutAttrInterface(),
                      space),
      loc);
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value lane = arith::RemUIOp::create(builder, loc, thread, index(kWarp));
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        lane, index(0));
  scf::IfOp::create(builder, loc, isFirst, [&](OpBuilder &inner, Location loc) {
    Value warp = arith::DivUIOp::create(inner, loc, thread, index(kWarp));
    memref::StoreOp::create(inner, loc, value, buffer, warp);
    scf::YieldOp::create(inner, loc);
  });
  gpu::BarrierOp::create(builder, loc);
  Value result = memref::LoadOp::create(builder, loc, buffer, index(0));
  for (int32_t warp = 1; warp < numWarps; ++warp)
    result = combine(result,
                     memref::LoadOp::create(builder, loc, buffer, index(warp)));
  return result;
}

/// Returns the number of warps per block of the function, which must be full.
static FailureOr<int32_t> getNumWarps(gpu::AllReduceOp reduce) {
  auto function = reduce->getParentOfType<gpu::GPUFuncOp>();
  auto size = function ? function.getKnownBlockSize() : std::nullopt;
  if (!size || (*size)[0] % kWarp || (*size)[1] != 1 || (*size)[2] != 1)
    return reduce.emitOpError(
        "expects a function whose blocks are known to be whole warps in x");
  return (*size)[0] / kWarp;
}

static LogicalResult check(Operation *reduce,
                           std::optional<gpu::AllReduceOperation> kind) {
  if (kind == gpu::AllReduceOperation::ADD ||
      kind == gpu::AllReduceOperation::MAXIMUMF)
    return success();
  return reduce->emitOpError("expects a sum or a maximum");
}

static LogicalResult expand(gpu::AllReduceOp reduce) {
  auto numWarps = getNumWarps(reduce);
  if (failed(numWarps) || failed(check(reduce, reduce.getOp())))
    return failure();
  Expansion expansion(reduce, *reduce.getOp());
  Value value = expansion.reduceWarp(reduce.getValue());
  if (*numWarps > 1) {
    value = expansion.combineWarps(
        value, reduce->getParentOfType<gpu::GPUFuncOp>(), *numWarps);
  } else {
    // Stores of other threads must be visible after a reduction.
    OpBuilder builder(reduce);
    gpu::BarrierOp::create(builder, reduce.getLoc());
  }
  reduce.replaceAllUsesWith(value);
  reduce.erase();
  return success();
}

static LogicalResult expand(gpu::SubgroupReduceOp reduce) {
  if (failed(check(reduce, reduce.getOp())))
    return failure();
  if (reduce.getClusterSize() || isa<VectorType>(reduce.getType()))
    return reduce.emitOpError("expects a number of each thread of a warp");
  reduce.replaceAllUsesWith(
      Expansion(reduce, reduce.getOp()).reduceWarp(reduce.getValue()));
  reduce.erase();
  return success();
}

void ExpandReductions::runOnOperation() {
  WalkResult result = getOperation()->walk([](Operation *op) -> WalkResult {
    if (auto reduce = dyn_cast<gpu::AllReduceOp>(op))
      return expand(reduce);
    if (auto reduce = dyn_cast<gpu::SubgroupReduceOp>(op))
      return expand(reduce);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    signalPassFailure();
}
