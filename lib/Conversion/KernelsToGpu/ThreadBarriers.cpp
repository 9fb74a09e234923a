//===- ThreadBarriers.cpp - Barriers between loops of threads -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ThreadLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
/// The accesses of an op to memory that its kernel writes.
struct Accesses {
  bool reads = false, writes = false;

  /// Whether a barrier is needed between these accesses and `next`.
  bool precede(Accesses next) const {
    return (writes && next.reads) || (next.writes && (reads || writes));
  }
};
} // namespace

Value mlir::nnet3::getWritten(Operation *op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  SmallVector<MemoryEffects::EffectInstance> writes;
  if (effects)
    effects.getEffects<MemoryEffects::Write>(writes);
  return writes.empty() ? Value() : writes[0].getValue();
}

static Accesses getAccesses(Operation &op,
                            const llvm::SmallPtrSetImpl<Value> &written) {
  Accesses accesses;
  op.walk([&](Operation *nested) {
    accesses.writes |= getWritten(nested) != nullptr;
    SmallVector<MemoryEffects::EffectInstance> reads;
    if (auto effects = dyn_cast<MemoryEffectOpInterface>(nested))
      effects.getEffects<MemoryEffects::Read>(reads);
    for (const MemoryEffects::EffectInstance &read : reads)
      accesses.reads |= written.contains(read.getValue());
  });
  return accesses;
}

static void addBarrier(OpBuilder &builder, Location loc, bool isWarp) {
  if (!isWarp) {
    gpu::BarrierOp::create(builder, loc);
    return;
  }
  Value all = arith::ConstantIntOp::create(builder, loc, builder.getI32Type(),
                                           /*value=*/-1);
  NVVM::SyncWarpOp::create(builder, loc, all);
}

void mlir::nnet3::addBarriers(scf::ParallelOp kernel, bool isWarp) {
  llvm::SmallPtrSet<Value, 2> written;
  kernel.walk([&](Operation *op) {
    if (Value memory = getWritten(op))
      written.insert(memory);
  });
  Accesses before;
  for (Operation &op : *kernel.getBody()) {
    const Accesses accesses = getAccesses(op, written);
    if (before.precede(accesses)) {
      OpBuilder builder(&op);
      addBarrier(builder, op.getLoc(), isWarp);
      before = Accesses();
    }
    before.reads |= accesses.reads;
    before.writes |= accesses.writes;
    if (auto loop = dyn_cast<scf::ParallelOp>(op);
        loop && loop->getNumResults() && !isWarp)
      before = Accesses();
  }
}
