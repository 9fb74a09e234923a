//===- ExpandReductions.cpp - Reductions of blocks as exchanges -----------===//
//
// The patterns of the gpu dialect let several threads write the result, and
// where the number of warps is not a power of two, not all of these have the
// whole of it.
//
//===----------------------------------------------------------------------===//

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

/// Threads that exchange values without memory.
static constexpr int32_t kWarp = 32;

namespace {

struct ExpandReductions
    : public mlir::nnet3::impl::Nnet3ExpandGpuReductionsBase<ExpandReductions> {
  void runOnOperation() override;
};

/// Writes what stands for a reduction in front of it.
class Expansion {
public:
  Expansion(gpu::AllReduceOp reduce, int32_t numWarps)
      : reduce(reduce), numWarps(numWarps), builder(reduce),
        loc(reduce.getLoc()) {}

  Value expand();

private:
  Value combine(Value a, Value b);
  Value reduceWarp(Value value);
  Value combineWarps(Value value);
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  gpu::AllReduceOp reduce;
  int32_t numWarps;
  OpBuilder builder;
  Location loc;
};

} // namespace

Value Expansion::combine(Value a, Value b) {
  if (*reduce.getOp() == gpu::AllReduceOperation::ADD)
    return arith::AddFOp::create(builder, loc, a, b);
  return arith::MaximumFOp::create(builder, loc, a, b);
}

/// All threads of a warp have the same value then: exchanged in pairs, each
/// gets the sum of two, and a + b is b + a.
Value Expansion::reduceWarp(Value value) {
  for (int32_t offset = 1; offset < kWarp; offset *= 2) {
    auto other = gpu::ShuffleOp::create(builder, loc, value, offset, kWarp,
                                        gpu::ShuffleMode::XOR);
    value = combine(value, other.getShuffleResult());
  }
  return value;
}

/// The first thread of each warp writes its value, and all threads read all of
/// them, in the same order.
Value Expansion::combineWarps(Value value) {
  auto function = reduce->getParentOfType<gpu::GPUFuncOp>();
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

Value Expansion::expand() {
  Value value = reduceWarp(reduce.getValue());
  if (numWarps > 1)
    return combineWarps(value);
  // What threads have written before is to be read behind a reduction.
  gpu::BarrierOp::create(builder, loc);
  return value;
}

/// How many warps the blocks of a function are, which are full.
static FailureOr<int32_t> getNumWarps(gpu::AllReduceOp reduce) {
  auto function = reduce->getParentOfType<gpu::GPUFuncOp>();
  auto size = function ? function.getKnownBlockSize() : std::nullopt;
  if (!size || (*size)[0] % kWarp || (*size)[1] != 1 || (*size)[2] != 1)
    return reduce.emitOpError(
        "expects a function whose blocks are known to be whole warps in x");
  return (*size)[0] / kWarp;
}

void ExpandReductions::runOnOperation() {
  SmallVector<gpu::AllReduceOp> reductions;
  getOperation()->walk([&](gpu::AllReduceOp op) { reductions.push_back(op); });
  for (gpu::AllReduceOp reduce : reductions) {
    auto numWarps = getNumWarps(reduce);
    if (failed(numWarps))
      return signalPassFailure();
    if (!reduce.getOp() ||
        (*reduce.getOp() != gpu::AllReduceOperation::ADD &&
         *reduce.getOp() != gpu::AllReduceOperation::MAXIMUMF)) {
      reduce.emitOpError("expects a sum or a maximum");
      return signalPassFailure();
    }
    reduce.replaceAllUsesWith(Expansion(reduce, *numWarps).expand());
    reduce.erase();
  }
}
