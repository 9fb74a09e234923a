//===- Nnet3ToKernels.cpp - Computations to functions of kernels ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckCommands.h"
#include "Converters.h"

#include "nnet3/Conversion/Nnet3ToKernels/Passes.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"
#include "nnet3/Optimize/UnrollLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3CONVERTTOKERNELS
#include "nnet3/Conversion/Nnet3ToKernels/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {

struct ConvertToKernels
    : public nnet3::impl::Nnet3ConvertToKernelsBase<ConvertToKernels> {
  using Base::Base;
  void runOnOperation() override;

private:
  void createFunction(CommandConverter &converter);
  LogicalResult convert(ComputationOp computation, KernelModule &module);
  void createMemory(const KernelModule &module);
  void createResources(const KernelModule &module);

  MemRefType floats, ints;
  std::vector<std::shared_ptr<CommandConverter>> converters;
  PassCount numKernels{"kernel operations"};
};

} // namespace

static Location getLoc(ModuleOp module) { return module.getLoc(); }

/// Describes an input or output for the caller of the function.
static Attribute getIo(StringAttr node, Value matrix, const ArenaPlan &arena) {
  ArrayRef<int64_t> shape = cast<MemRefType>(matrix.getType()).getShape();
  return kernel::IoAttr::get(node.getContext(), node, arena.getOffset(matrix),
                             shape[0], shape[1]);
}

static ArrayAttr getInputs(ComputationOp computation, const ArenaPlan &arena) {
  SmallVector<Attribute> inputs;
  for (auto op : computation.getBody().getOps<AcceptInputOp>())
    inputs.push_back(getIo(op.getNodeAttr(), op.getResult(), arena));
  return ArrayAttr::get(computation.getContext(), inputs);
}

static ArrayAttr getOutputs(ComputationOp computation, const ArenaPlan &arena) {
  SmallVector<Attribute> outputs;
  for (auto op : computation.getBody().getOps<ProvideOutputOp>())
    outputs.push_back(getIo(op.getNodeAttr(), op.getMatrix(), arena));
  return ArrayAttr::get(computation.getContext(), outputs);
}

/// Returns the weights behind the trained parameters, which code for CPUs has
/// in the arena; null if there are none.
static kernel::ConstantsAttr getConstants(const CommandConverter &converter) {
  const CommandContext &context = converter.getContext();
  ArrayAttr parameters = converter.getEntryAttributes().parameters;
  if (!parameters || context.module.threads)
    return {};
  int64_t first = 0;
  for (auto parameter : parameters.getAsRange<kernel::ParameterAttr>())
    first = std::max(first, PackedWeights::align(parameter.getOffset() +
                                                 parameter.getSize()));
  const int64_t size = context.module.weights.getSize() - first;
  if (size <= 0)
    return {};
  return kernel::ConstantsAttr::get(
      parameters.getContext(), first,
      PackedWeights::align(context.getArenaSize()), size);
}

/// Returns the size of the arena with these constants.
static int64_t getArenaSize(const CommandConverter &converter,
                            kernel::ConstantsAttr constants) {
  return constants ? constants.getOffset() + constants.getSize()
                   : converter.getContext().getArenaSize();
}

/// Makes the function read constants in the arena.
static void moveToArena(func::FuncOp function,
                        kernel::ConstantsAttr constants) {
  OpBuilder builder(function.getContext());
  for (Operation *user :
       llvm::make_early_inc_range(function.getArgument(1).getUsers())) {
    auto view = cast<memref::ReinterpretCastOp>(user);
    const int64_t place = *getConstantIntValue(view.getMixedOffsets().front());
    if (place < constants.getFirst())
      continue;
    builder.setInsertionPoint(view);
    view.getSourceMutable().assign(function.getArgument(0));
    view.getOffsetsMutable().assign(arith::ConstantIndexOp::create(
        builder, view.getLoc(),
        place - constants.getFirst() + constants.getOffset()));
  }
}

/// Replaces a computation by its function.
void ConvertToKernels::createFunction(CommandConverter &converter) {
  CommandContext &context = converter.getContext();
  ComputationOp computation = context.computation;
  const EntryAttributes &attributes = converter.getEntryAttributes();
  func::FuncOp run = context.kernels.finish(floats, ints);
  kernel::ConstantsAttr constants = getConstants(converter);
  if (constants)
    moveToArena(run, constants);
  OpBuilder builder(computation);
  kernel::EntryOp::create(
      builder, computation.getLoc(), FlatSymbolRefAttr::get(run),
      builder.getI64IntegerAttr(getArenaSize(converter, constants)),
      getInputs(computation, context.arena),
      getOutputs(computation, context.arena), attributes.gradients,
      attributes.parameters, constants, attributes.statistics,
      attributes.random ? builder.getI64IntegerAttr(*attributes.random)
                        : IntegerAttr(),
      /*steps=*/ArrayAttr());
  builder.insert(run);
  run.walk([&](Operation *op) {
    if (op->hasTrait<kernel::Outlined>())
      ++numKernels;
  });
  computation.erase();
}

/// Threads of a device compute scalars.
static kernel::TargetAttr getThreadTarget(MLIRContext *context) {
  return kernel::TargetAttr::get(context, /*vectorBits=*/32,
                                 /*vectorRegisters=*/4, /*fma=*/true,
                                 /*l2Bytes=*/1 << 20, /*dotProducts=*/{},
                                 /*rowLanes=*/1, /*panelColumns=*/0,
                                 /*scalableBits=*/0, /*laneIntrinsics=*/{},
                                 /*wideProducts=*/false, /*pairProducts=*/{},
                                 /*convertsHalves=*/false, /*threads=*/1);
}

/// Records the numbers of rows of a computation's affine maps.
static void addRows(ComputationOp computation, PackedWeights &weights) {
  ComponentTable components(computation);
  computation.walk([&](FusedAffineOp op) {
    if (ComponentOpInterface component = components.find(op.getComponent()))
      weights.addRows(component, numRows(op.getOutput()));
  });
}

LogicalResult ConvertToKernels::convert(ComputationOp computation,
                                        KernelModule &module) {
  // Programs of devices are lists of launches, without loops.
  if (module.device)
    unrollLoops(computation);
  if (failed(checkCommands(computation, module.device)))
    return failure();
  std::shared_ptr<CommandConverter> converter =
      module.device ? createDeviceConverter(computation, module, updates)
                    : createCpuConverter(computation, module);
  if (failed(converter->convert()))
    return failure();
  const int64_t size = converter->getContext().getArenaSize();
  if (module.tables.getSize() > 0 && !llvm::isInt<32>(size))
    return computation.emitOpError("needs an arena of ")
           << size << " floats, but tables of rows reach no further than 2^31";
  if (module.tables.getSize() > row_table::kMaxSize)
    return computation.emitOpError("needs row tables of ")
           << module.tables.getSize() << " entries, but at most "
           << row_table::kMaxSize << " are supported";
  converters.push_back(std::move(converter));
  return success();
}

/// Sets the types of the memory arguments and the attribute of row tables.
void ConvertToKernels::createMemory(const KernelModule &module) {
  OpBuilder builder(getOperation().getBodyRegion());
  // All float arguments have one type, so that either can be passed on.
  int64_t size = std::max<int64_t>(1, module.weights.getSize());
  for (const auto &converter : converters)
    size = std::max(size, getArenaSize(*converter, getConstants(*converter)));
  floats = MemRefType::get({size}, builder.getF32Type());
  ints = MemRefType::get({std::max<int64_t>(1, module.tables.getSize())},
                         builder.getI32Type());
}

void ConvertToKernels::createResources(const KernelModule &module) {
  OpBuilder builder(getOperation().getBodyRegion());
  RowTableAttr tables;
  if (module.tables.getSize() > 0)
    tables = RowTableAttr::get(&getContext(), module.tables.getCode());
  kernel::ResourcesOp::create(
      builder, getLoc(getOperation()), module.weights.getSize(),
      module.weights.getLayout(&getContext()),
      builder.getArrayAttr(module.runtimeCalls), tables, precision);
}

void ConvertToKernels::runOnOperation() {
  if (!(device ? isForGpu(precision) : isForCpu(precision))) {
    emitError(getLoc(getOperation()))
        << "precision '" << getPrecisionName(precision) << "' is not for "
        << (device ? "devices" : "CPUs");
    return signalPassFailure();
  }
  auto target =
      getOperation()->getAttrOfType<kernel::TargetAttr>(kernel::kTargetAttr);
  if (!target && !device && !getOperation().getOps<ComputationOp>().empty()) {
    emitError(getLoc(getOperation()))
        << "expects '" << kernel::kTargetAttr << "', the target of the kernels";
    return signalPassFailure();
  }
  if (device)
    target = getThreadTarget(&getContext());
  if (device && !componentPrecisions.empty()) {
    emitError(getLoc(getOperation()))
        << "precisions of components are not for devices";
    return signalPassFailure();
  }
  if (training && (device || precision != Precision::F32)) {
    emitError(getLoc(getOperation()))
        << "training is for CPUs, with precision 'f32'";
    return signalPassFailure();
  }
  if (shared && !training && !updates) {
    emitError(getLoc(getOperation())) << "only training shares minibatches";
    return signalPassFailure();
  }
  auto precisions = ComponentPrecisions::get(
      getOperation(), target, precision,
      std::vector<std::string>(componentPrecisions.begin(),
                               componentPrecisions.end()));
  if (failed(precisions))
    return signalPassFailure();
  KernelModule module(target, device || training, precision, *precisions,
                      parallelFlops);
  module.threads = device;
  module.isShared = shared;
  converters.clear();
  for (auto computation : getOperation().getOps<ComputationOp>())
    addRows(computation, module.weights);
  for (auto computation : getOperation().getOps<ComputationOp>())
    if (failed(convert(computation, module)))
      return signalPassFailure();
  if (converters.empty())
    return;
  createMemory(module);
  for (const auto &converter : converters)
    createFunction(*converter);
  converters.clear();
  createResources(module);
}
