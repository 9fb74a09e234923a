//===- HostKernels.cpp - Kernels for the fake CUDA driver -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostKernels.h"
#include "ThreadBlock.h"

#include "nnet3/Arithmetic/ColumnSums.h"
#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Conversion/KernelToThreads/Passes.h"
#include "nnet3/Conversion/KernelToVector/Passes.h"
#include "nnet3/Conversion/KernelsToGpu/Passes.h"
#include "nnet3/Conversion/KernelsToGpu/Pipeline.h"
#include "nnet3/Conversion/KernelsToLLVM/Pipeline.h"
#include "nnet3/Conversion/Nnet3ToKernels/Passes.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"
#include "nnet3/Pipelines/DeviceCode.h"
#include "nnet3/Target/Library/ObjectEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir::nnet3::test;
using namespace mlir;
using namespace mlir::nnet3;
using ::nnet3::rt::test::FakeCuda;
using ::nnet3::rt::test::KernelLaunch;

/// Upper bounds of the numbers of offsets and of grid sizes. A callee with
/// fewer parameters ignores the rest.
static constexpr size_t kMaxPlaces = 24;
static constexpr size_t kGridPlaces = 2;
/// Marks a loop over the rows of a grid in CPU code.
static constexpr llvm::StringLiteral kRowLoop = "rows";

/// Arena, weights, row tables, context, offsets.
using Function = void (*)(float *, const float *, const int32_t *, void *,
                          int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                          int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                          int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                          int64_t, int64_t, int64_t, int64_t, int64_t, int64_t);

template <size_t... i>
static void call(Function function, const KernelLaunch &launch,
                 const int64_t *places, std::index_sequence<i...>) {
  function(launch.arena, launch.weights, launch.tables, nullptr, places[i]...);
}

/// Returns the launch shape of `function`; null if it is not a kernel.
static kernel::BlockAttr getBlock(Operation *function) {
  return function->getAttrOfType<kernel::BlockAttr>(kernel::BlockAttr::name);
}

/// Returns the number of points of `loop` in its first dimension for a number
/// of blocks. If points are warps that do not fill all blocks, the code is for
/// a fixed number of points.
static Value getPoints(func::FuncOp function, scf::ParallelOp loop,
                       Value blocks) {
  kernel::BlockAttr block = getBlock(function);
  const int64_t warps = block.getWarps() ? block.getThreads() / kWarp : 1;
  Value points = loop.getUpperBound()[0];
  if (*getConstantIntValue(points) % warps)
    return points;
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  return arith::MulIOp::create(
      builder, loc, blocks,
      arith::ConstantIndexOp::create(builder, loc, warps));
}

/// Passes the numbers of blocks in x and y to kernels as parameters after the
/// offsets, so that, as on a GPU, the code serves all grids.
static void takeGrids(ModuleOp module) {
  auto index = IndexType::get(module.getContext());
  for (auto entry :
       llvm::make_early_inc_range(module.getOps<kernel::EntryOp>()))
    entry.erase();
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    if (!getBlock(function)) {
      // What calls kernels.
      function.erase();
      continue;
    }
    // Code of CPUs has a loop over rows instead.
    auto loops = function.getOps<scf::ParallelOp>();
    auto loop = loops.empty() ? scf::ParallelOp() : *loops.begin();
    for (unsigned i = 0; i < kGridPlaces; ++i) {
      const unsigned number = function.getNumArguments();
      (void)function.insertArgument(number, index, {}, function.getLoc());
      Value blocks = function.getArgument(number);
      if (loop && i < loop.getNumLoops())
        loop.getUpperBoundMutable()[i].set(
            i == 0 ? getPoints(function, loop, blocks) : blocks);
    }
    function.walk([&](scf::ForOp rows) {
      if (rows->removeAttr(kRowLoop))
        rows.setUpperBound(
            function.getArgument(function.getNumArguments() - kGridPlaces));
    });
  }
}

OwningOpRef<ModuleOp>(mlir::nnet3::test::copyNetwork)(
    NetworkOp network, ArrayRef<RequestOp> requests) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(network.getLoc());
  DialectRegistry registry;
  registerKernelModels(registry);
  module->getContext()->appendDialectRegistry(registry);
  auto builder = OpBuilder::atBlockEnd(module->getBody());
  builder.clone(*network);
  for (RequestOp request : requests)
    builder.clone(*request);
  return module;
}

FailureOr<std::unique_ptr<HostKernels>>
HostKernels::create(OwningOpRef<ModuleOp> module, const TrainingCode &training,
                    Precision precision, GpuEmulator *emulator) {
  PassManager passes(module->getContext());
  const bool trains = llvm::any_of(module->getOps<RequestOp>(), isTraining);
  addDevicePasses(passes,
                  emulator ? mlir::nnet3::Stage::Lowered
                           : mlir::nnet3::Stage::Loops,
                  /*testMode=*/false, precision,
                  trains ? std::optional(training) : std::nullopt);
  if (failed(passes.run(*module)))
    return failure();
  return load(*module, emulator);
}

/// Returns the row operation of `function` if its CPU code serves all grids.
/// Equal device kernels are one kernel with several grids: the row loop of
/// `kernel.map_rows` has one step per row of the grid, but `kernel.reduce_rows`
/// is equal for other numbers of columns only if they are whole tiles.
static Operation *findRows(func::FuncOp function) {
  for (auto map : function.getOps<kernel::MapRowsOp>())
    return map.getOutput().getType().getDimSize(0) > 1 ? map : nullptr;
  for (auto sums : function.getOps<kernel::ReduceRowsOp>())
    return sums.getNumColumns() % kColumnTile ? sums : nullptr;
  return nullptr;
}

/// Returns the row loop in the code of a `kernel.map_rows` of `parts` parts.
static scf::ForOp findRowLoop(func::FuncOp function, int64_t parts) {
  scf::ForOp outer = *function.getOps<scf::ForOp>().begin();
  return parts == 1 ? outer : *outer.getOps<scf::ForOp>().begin();
}

/// Lowers functions of `module` with a row operation to CPU code, which one
/// launch runs completely. Returns their number.
static FailureOr<int64_t> lowerRowsToVectors(ModuleOp module, int64_t length) {
  OwningOpRef<ModuleOp> rows = ModuleOp::create(module.getLoc());
  (*rows)->setAttr(
      kernel::kTargetAttr,
      kernel::TargetAttr::get(module.getContext(), /*vector_bits=*/32 * length,
                              /*vector_registers=*/16, /*fma=*/true,
                              /*l2_bytes=*/1 << 20, /*dot_products=*/{},
                              /*row_lanes=*/1, /*panel_columns=*/0,
                              /*scalable_bits=*/0, /*lane_intrinsics=*/{},
                              /*wide_products=*/false, /*pair_products=*/{},
                              /*converts_halves=*/false,
                              /*threads=*/1));
  DenseMap<Operation *, int64_t> parts;
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    Operation *op = findRows(function);
    if (!op)
      continue;
    if (auto map = dyn_cast<kernel::MapRowsOp>(op))
      parts[function] = map.getParts();
    function->remove();
    rows->push_back(function);
  }
  PassManager passes(module.getContext());
  passes.addPass(kernel::createKernelToVector());
  if (failed(passes.run(*rows)))
    return failure();
  int64_t count = 0;
  for (auto function :
       llvm::make_early_inc_range(rows->getOps<func::FuncOp>())) {
    function->setAttr(kernel::BlockAttr::name,
                      kernel::BlockAttr::get(function.getContext(),
                                             /*threads=*/1, /*warps=*/false,
                                             /*form=*/{}));
    if (int64_t numParts = parts.lookup(function))
      findRowLoop(function, numParts)
          ->setAttr(kRowLoop, OpBuilder(function).getUnitAttr());
    function->remove();
    module.push_back(function);
    ++count;
  }
  return count;
}

FailureOr<std::unique_ptr<HostKernels>>
HostKernels::createWithVectors(OwningOpRef<ModuleOp> module,
                               const TrainingCode &training, int64_t length) {
  PassManager passes(module->getContext());
  addDevicePasses(passes, mlir::nnet3::Stage::Kernels, /*testMode=*/false,
                  Precision::F32, training);
  if (failed(passes.run(*module)))
    return failure();
  auto count = lowerRowsToVectors(*module, length);
  if (failed(count))
    return failure();
  PassManager rest(module->getContext());
  rest.addPass(kernel::createKernelToThreads());
  if (failed(rest.run(*module)))
    return failure();
  auto kernels = load(*module, /*emulator=*/nullptr);
  if (succeeded(kernels))
    (*kernels)->numVectorKernels = *count;
  return kernels;
}

FailureOr<std::unique_ptr<HostKernels>>
HostKernels::createUpdateKernels(MLIRContext *context, GpuEmulator *emulator) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(context));
  PassManager passes(context);
  passes.addPass(createNnet3MakeUpdateKernels());
  if (emulator) {
    passes.addPass(createNnet3ConvertKernelsToGpu());
    addGpuToNVVMPasses(passes);
  }
  if (failed(passes.run(*module)))
    return failure();
  return load(*module, emulator);
}

FailureOr<std::unique_ptr<HostKernels>>
HostKernels::load(ModuleOp module, GpuEmulator *emulator) {
  auto result = std::make_unique<HostKernels>();
  result->emulator = emulator;
  if (!emulator) {
    if (failed(result->loadLoops(module)))
      return failure();
    return result;
  }
  auto emulated = EmulatedModule::load(module);
  if (failed(emulated))
    return failure();
  result->emulated = std::move(*emulated);
  return result;
}

LogicalResult HostKernels::loadLoops(ModuleOp module) {
  takeGrids(module);
  PassManager passes(module.getContext());
  addKernelsToLLVMPasses(passes);
  if (failed(passes.run(module)))
    return failure();
  CodeTarget target;
  // Each kernel runs a few times, on few numbers.
  target.isOptimized = false;
  auto code = emitCode(module, target, CodeForm::Object);
  if (failed(code))
    return failure();
  auto loaded = LoadedObject::load(*code, {});
  if (!loaded)
    return module.emitError(llvm::toString(loaded.takeError()));
  object = std::move(*loaded);
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (!getBlock(function))
      continue;
    // Behind arena, weights, row tables and context.
    const size_t numPlaces = function.getNumArguments() - 4 - kGridPlaces;
    auto address = object->lookup(function.getSymName());
    if (!address)
      return function.emitError(llvm::toString(address.takeError()));
    if (numPlaces + kGridPlaces > kMaxPlaces)
      return function.emitError("has too many places");
    kernels[function.getSymName().str()] = {*address, int(numPlaces)};
  }
  return success();
}

/// Returns the device memory of a launch, with names.
static std::vector<MemoryRange> getMemory(FakeCuda &cuda,
                                          const KernelLaunch &launch) {
  const std::lock_guard<std::mutex> lock(cuda.mutex);
  std::vector<MemoryRange> memory;
  for (const auto &[begin, bytes] : cuda.device) {
    auto has = [begin = begin, bytes = bytes](const void *address) {
      return address >= begin && address < begin + bytes;
    };
    const char *name = has(launch.arena)     ? "arena"
                       : has(launch.weights) ? "weights"
                       : has(launch.tables)  ? "row tables"
                                             : "memory of others";
    memory.push_back({begin, bytes, name, /*isShared=*/false});
  }
  return memory;
}

static void emulate(GpuEmulator &emulator, const EmulatedKernel &kernel,
                    FakeCuda &cuda, KernelLaunch launch) {
  std::vector<void *> parameters = {&launch.arena, &launch.weights,
                                    &launch.tables};
  for (int64_t &place : launch.places)
    parameters.push_back(&place);
  LaunchGrid grid;
  llvm::copy(launch.blocks, grid.blocks);
  llvm::copy(launch.threads, grid.threads);
  emulator.launch(kernel, grid, parameters.data(), getMemory(cuda, launch));
}

void HostKernels::addTo(FakeCuda &cuda) const {
  for (const auto &[name, kernel] : kernels) {
    auto function = reinterpret_cast<Function>(kernel.function);
    cuda.kernels[name] = {[function](const KernelLaunch &launch) {
                            std::vector<int64_t> all = launch.places;
                            all.push_back(launch.blocks[0]);
                            all.push_back(launch.blocks[1]);
                            all.resize(kMaxPlaces);
                            call(function, launch, all.data(),
                                 std::make_index_sequence<kMaxPlaces>());
                          },
                          kernel.numPlaces};
  }
  if (!emulated)
    return;
  for (const EmulatedKernel &kernel : emulated->getKernels())
    cuda.kernels[kernel.name] = {
        [&kernel, &cuda, emulator = emulator](const KernelLaunch &launch) {
          emulate(*emulator, kernel, cuda, launch);
        },
        // Behind arena, weights and row tables.
        int(kernel.numParameters) - 3};
}
