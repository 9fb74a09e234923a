//===- KernelsToGpu.cpp - Parallel kernels as GPU functions ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ThreadLoops.h"

#include "nnet3/Conversion/KernelsToGpu/Passes.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3CONVERTKERNELSTOGPU
#include "nnet3/Conversion/KernelsToGpu/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;
using kernel::BlockAttr;
using kernel::FormAttr;

static constexpr llvm::StringLiteral kModule = "kernels";
/// Limits of a launch (all CUDA compute capabilities since 3.0).
static constexpr int64_t kMaxBlocksX = (int64_t(1) << 31) - 1;
static constexpr int64_t kMaxBlocksY = (int64_t(1) << 16) - 1;

namespace {

/// A function of the device and its launch configuration.
struct Kernel {
  gpu::GPUFuncOp function;
  SmallVector<int64_t> blocks; ///< in x and y
  int64_t threads;
  int64_t points;    ///< of the outermost loop's first dimension
  int64_t warps = 0; ///< per block; 0 if a point is a block
  FormAttr form;     ///< may be null
};

struct KernelsToGpu
    : public mlir::nnet3::impl::Nnet3ConvertKernelsToGpuBase<KernelsToGpu> {
  void runOnOperation() override;
};

} // namespace

/// Device functions take all arguments but the runtime's context.
static bool isPassed(Type type) { return !isa<LLVM::LLVMPointerType>(type); }

/// Returns the number of points of each dimension of the outermost loop.
static FailureOr<SmallVector<int64_t>> getPoints(scf::ParallelOp loop) {
  SmallVector<int64_t> points;
  for (auto [begin, end, step] : llvm::zip_equal(
           loop.getLowerBound(), loop.getUpperBound(), loop.getStep())) {
    auto count = getConstantIntValue(end);
    if (!isConstantIntValue(begin, 0) || !isConstantIntValue(step, 1) || !count)
      return loop.emitOpError("of a kernel expects constant bounds from 0");
    points.push_back(*count);
  }
  return points;
}

/// Whether all threads of a block reach a loop: its parent is the kernel, or
/// one of two branches that the block chooses uniformly. A loop with a
/// reduction must be unconditional.
static bool isReachedByAll(scf::ParallelOp loop, scf::ParallelOp kernel) {
  Operation *parent = loop->getParentOp();
  return parent == kernel ||
         (isa<scf::IfOp>(parent) && parent->getParentOp() == kernel &&
          loop.getNumReductions() == 0 &&
          llvm::hasSingleElement(loop->getBlock()->getOps<scf::ParallelOp>()));
}

/// All threads of a block execute the code around the inner loops, so only
/// inner loops may store, and allocations there are shared by the block.
static LogicalResult check(Operation *op, scf::ParallelOp kernel) {
  if (auto memory = dyn_cast<memref::AllocaOp>(op))
    if (op->getParentOp() != kernel || !memory.getType().hasStaticShape())
      return op->emitOpError(
          "in a kernel expects a static shape, and to be outside of "
          "inner loops");
  if (getWritten(op) && op->getParentOfType<scf::ParallelOp>() == kernel)
    return op->emitOpError("inside of a kernel expects a loop around it");
  auto loop = dyn_cast<scf::ParallelOp>(op);
  if (!loop || loop == kernel)
    return success();
  if (!isReachedByAll(loop, kernel))
    return loop.emitOpError("is not reached by all threads of a block");
  if (loop.getInductionVars().size() != 1 ||
      !isConstantIntValue(loop.getStep()[0], 1))
    return loop.emitOpError("inside of a kernel expects one variable and steps "
                            "of 1");
  return success();
}

/// Moves an allocation to the shared memory of the block.
static void shareMemory(memref::AllocaOp memory, gpu::GPUFuncOp function) {
  auto space = gpu::AddressSpaceAttr::get(memory.getContext(),
                                          gpu::AddressSpace::Workgroup);
  auto type = MemRefType::Builder(memory.getType()).setMemorySpace(space);
  memory.replaceAllUsesWith(
      Value(function.addWorkgroupAttribution(type, memory.getLoc())));
  memory.erase();
}

/// Maps each point of `loop` to a block of threads.
static Team makeBlocks(scf::ParallelOp loop, const Kernel &kernel) {
  ImplicitLocOpBuilder builder(loop.getLoc(), loop);
  const gpu::Dimension dimensions[] = {gpu::Dimension::x, gpu::Dimension::y};
  for (auto [i, variable] : llvm::enumerate(loop.getInductionVars()))
    variable.replaceAllUsesWith(gpu::BlockIdOp::create(builder, dimensions[i]));
  Value thread = gpu::ThreadIdOp::create(builder, gpu::Dimension::x);
  return {thread, kernel.threads, /*isWarp=*/false};
}

/// Maps each point of `loop` to a warp, several of which form a block. Warps of
/// the last block past the end do nothing: the loop moves into an `scf.if`.
static Team makeWarps(scf::ParallelOp loop, const Kernel &kernel) {
  ImplicitLocOpBuilder builder(loop.getLoc(), loop);
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, value);
  };
  Value block = gpu::BlockIdOp::create(builder, gpu::Dimension::x);
  Value thread = gpu::ThreadIdOp::create(builder, gpu::Dimension::x);
  Value lane = arith::RemUIOp::create(builder, thread, index(kWarp));
  Value warp = arith::DivUIOp::create(builder, thread, index(kWarp));
  Value first = arith::MulIOp::create(builder, block, index(kernel.warps));
  Value point = arith::AddIOp::create(builder, first, warp);
  loop.getInductionVars()[0].replaceAllUsesWith(point);
  if (kernel.points % kernel.warps) {
    Value isThere = arith::CmpIOp::create(builder, arith::CmpIPredicate::ult,
                                          point, index(kernel.points));
    auto body = scf::IfOp::create(builder, isThere);
    loop->moveBefore(body.thenYield());
  }
  return {lane, kWarp, /*isWarp=*/true};
}

/// Maps the points of `loop` to blocks or warps and inlines its body.
static LogicalResult makeTeams(scf::ParallelOp loop, Kernel &kernel) {
  WalkResult checked =
      loop.walk([&](Operation *op) -> WalkResult { return check(op, loop); });
  if (checked.wasInterrupted())
    return failure();
  addBarriers(loop, kernel.warps);
  const Team team =
      kernel.warps ? makeWarps(loop, kernel) : makeBlocks(loop, kernel);
  for (auto memory :
       llvm::make_early_inc_range(loop.getBody()->getOps<memref::AllocaOp>())) {
    if (kernel.warps)
      return memory.emitOpError("cannot be allocated in a kernel of warps");
    shareMemory(memory, kernel.function);
  }
  SmallVector<scf::ParallelOp> inner;
  loop.getBody()->walk([&](scf::ParallelOp op) { inner.push_back(op); });
  for (scf::ParallelOp op : inner)
    if (failed(shareOut(op, team)))
      return failure();
  loop.getBody()->getTerminator()->erase();
  loop->getBlock()->getOperations().splice(loop->getIterator(),
                                           loop.getBody()->getOperations());
  loop.erase();
  return success();
}

/// Returns the outermost loop; none if there is not exactly one.
static scf::ParallelOp getLoop(func::FuncOp function) {
  auto loops = llvm::to_vector(function.getOps<scf::ParallelOp>());
  return loops.size() == 1 ? loops[0] : scf::ParallelOp();
}

/// Moves the body of `function` to a function of the device.
static FailureOr<Kernel> convert(func::FuncOp function, OpBuilder &builder) {
  if (!function.getBody().hasOneBlock() || function.getNumResults() > 0)
    return function.emitOpError("expects a body of one block, and no results");
  scf::ParallelOp loop = getLoop(function);
  if (!loop || loop.getInductionVars().size() > 2)
    return function.emitOpError("expects one outermost loop with at most "
                                "two induction variables");
  auto points = getPoints(loop);
  if (failed(points))
    return failure();
  Kernel kernel;
  kernel.blocks = *points;
  kernel.points = kernel.blocks[0];
  auto block = function->getAttrOfType<BlockAttr>(BlockAttr::name);
  kernel.threads = block.getThreads();
  if (block.getWarps()) {
    if (kernel.blocks.size() != 1)
      return function.emitOpError("of warps expects a loop of one variable");
    kernel.warps = kernel.threads / kWarp;
    kernel.blocks[0] = llvm::divideCeil(kernel.points, kernel.warps);
  }
  kernel.blocks.resize(2, 1);
  if (kernel.blocks[0] > kMaxBlocksX || kernel.blocks[1] > kMaxBlocksY)
    return function.emitOpError("has more blocks than a device can launch");
  kernel.form = block.getForm();
  SmallVector<Type> types =
      llvm::filter_to_vector(function.getArgumentTypes(), isPassed);
  kernel.function =
      gpu::GPUFuncOp::create(builder, function.getLoc(), function.getSymName(),
                             builder.getFunctionType(types, {}));
  kernel.function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                           builder.getUnitAttr());
  kernel.function.setKnownBlockSizeAttr(
      builder.getDenseI32ArrayAttr({int32_t(kernel.threads), 1, 1}));
  Block &body = kernel.function.getBody().front();
  unsigned next = 0;
  for (BlockArgument argument : function.getArguments())
    if (isPassed(argument.getType()))
      argument.replaceAllUsesWith(body.getArgument(next++));
  function.getBody().front().getTerminator()->erase();
  body.getOperations().splice(body.end(),
                              function.getBody().front().getOperations());
  OpBuilder end = OpBuilder::atBlockEnd(&body);
  gpu::ReturnOp::create(end, function.getLoc());
  if (failed(makeTeams(loop, kernel)))
    return failure();
  return kernel;
}

/// Replaces a call of a kernel by a launch.
static void launch(func::CallOp call, const Kernel &kernel) {
  ImplicitLocOpBuilder builder(call.getLoc(), call);
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, value);
  };
  Value one = number(1);
  SmallVector<Value> arguments = llvm::filter_to_vector(
      call.getOperands(), [](Value v) { return isPassed(v.getType()); });
  auto launch = gpu::LaunchFuncOp::create(
      builder, kernel.function,
      gpu::KernelDim3{number(kernel.blocks[0]), number(kernel.blocks[1]), one},
      gpu::KernelDim3{number(kernel.threads), one, one},
      /*dynamicSharedMemorySize=*/Value(), arguments);
  if (kernel.form)
    launch->setAttr(FormAttr::name, kernel.form);
  call.erase();
}

void KernelsToGpu::runOnOperation() {
  ModuleOp module = getOperation();
  SmallVector<func::FuncOp> functions = llvm::filter_to_vector(
      module.getOps<func::FuncOp>(),
      [](func::FuncOp op) { return op->hasAttr(BlockAttr::name); });
  if (functions.empty())
    return;
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                  UnitAttr::get(&getContext()));
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto kernels = gpu::GPUModuleOp::create(builder, module.getLoc(), kModule);
  builder.setInsertionPointToStart(kernels.getBody());
  llvm::StringMap<Kernel> byName;
  for (func::FuncOp function : functions) {
    auto kernel = convert(function, builder);
    if (failed(kernel))
      return signalPassFailure();
    byName[function.getSymName()] = *kernel;
    function.erase();
  }
  SmallVector<func::CallOp> calls;
  module.walk([&](func::CallOp call) { calls.push_back(call); });
  for (func::CallOp call : calls)
    if (auto it = byName.find(call.getCallee()); it != byName.end())
      launch(call, it->second);
}
