//===- Nnet3ToKernels.cpp - Make functions of computations ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckCommands.h"
#include "UpdatingConverter.h"

#include "nnet3/Conversion/Nnet3ToKernels/Passes.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"

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

/// A computation on its way to a function.
struct Function {
  ComputationOp computation;
  std::shared_ptr<CommandConverter> converter; ///< has the operations
};

struct ConvertToKernels
    : public nnet3::impl::Nnet3ConvertToKernelsBase<ConvertToKernels> {
  using Base::Base;
  void runOnOperation() override;

private:
  void createFunction(const Function &function);
  LogicalResult convert(ComputationOp computation, KernelModule &module);
  void createMemory(const KernelModule &module);

  MemRefType floats, ints;
  std::vector<Function> computations;
  PassCount numKernels{"kernel operations"};
};

} // namespace

static Location getLoc(ModuleOp module) { return module.getLoc(); }

/// What the caller needs to know of an input or output: `node`, `place` in the
/// arena, `rows` and `cols`; rows follow each other without a gap.
static Attribute getMatrix(StringAttr node, Value matrix,
                           const ArenaPlan &arena) {
  Builder builder(node.getContext());
  auto type = cast<MemRefType>(matrix.getType());
  auto number = [&](StringRef name, int64_t value) {
    return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
  };
  return builder.getDictionaryAttr({number("cols", type.getDimSize(1)),
                                    builder.getNamedAttr("node", node),
                                    number("place", arena.getOffset(matrix)),
                                    number("rows", type.getDimSize(0))});
}

static ArrayAttr getInputs(ComputationOp computation, const ArenaPlan &arena) {
  SmallVector<Attribute> inputs;
  for (auto op : computation.getBody().getOps<AcceptInputOp>())
    inputs.push_back(getMatrix(op.getNodeAttr(), op.getResult(), arena));
  return ArrayAttr::get(computation.getContext(), inputs);
}

static ArrayAttr getOutputs(ComputationOp computation, const ArenaPlan &arena) {
  SmallVector<Attribute> outputs;
  for (auto op : computation.getBody().getOps<ProvideOutputOp>())
    outputs.push_back(getMatrix(op.getNodeAttr(), op.getMatrix(), arena));
  return ArrayAttr::get(computation.getContext(), outputs);
}

/// Puts the function that a computation becomes in its place.
void ConvertToKernels::createFunction(const Function &function) {
  ComputationOp computation = function.computation;
  CommandConverter &converter = *function.converter;
  func::FuncOp run = converter.getKernels().finish(floats, ints);
  OpBuilder builder(computation);
  builder.insert(run);
  auto set = [&](StringRef name, Attribute value) {
    if (value)
      run->setAttr(name, value);
  };
  set("nnet3.arena_size", builder.getI64IntegerAttr(converter.getArenaSize()));
  set("nnet3.inputs", getInputs(computation, converter.getArena()));
  set("nnet3.outputs", getOutputs(computation, converter.getArena()));
  set("nnet3.gradients", converter.getGradients());
  if (auto place = converter.getRandomPlace())
    set("nnet3.random", builder.getI64IntegerAttr(*place));
  set("nnet3.parameters", converter.getParameters());
  set("nnet3.statistics", converter.getStatistics());
  run.walk([&](Operation *op) {
    if (op->hasTrait<kernel::Outlined>())
      ++numKernels;
  });
  computation.erase();
}

/// Threads of a device compute single numbers.
static kernel::TargetAttr getThreadTarget(MLIRContext *context) {
  return kernel::TargetAttr::get(context, /*vectorBits=*/32,
                                 /*vectorRegisters=*/4, /*scalable=*/false,
                                 /*fma=*/true, /*maskedTails=*/true,
                                 /*l2Bytes=*/1 << 20, /*dotProducts=*/{});
}

LogicalResult ConvertToKernels::convert(ComputationOp computation,
                                        KernelModule &module) {
  if (failed(checkCommands(computation, device)))
    return failure();
  std::unique_ptr<CommandConverter> converter;
  if (device && updates)
    converter = std::make_unique<UpdatingConverter>(computation, module);
  else if (device)
    converter = std::make_unique<TrainingConverter>(computation, module);
  else
    converter = std::make_unique<CommandConverter>(computation, module);
  if (failed(converter->convert()))
    return failure();
  if (!module.tables.getValues().empty() &&
      !llvm::isInt<32>(converter->getArenaSize()))
    return computation.emitOpError("needs an arena of ")
           << converter->getArenaSize()
           << " floats, but tables of rows reach no further than 2^31";
  computations.push_back({computation, std::move(converter)});
  return success();
}

/// The types of the memory, and the attribute with the row tables.
void ConvertToKernels::createMemory(const KernelModule &module) {
  OpBuilder builder(getOperation().getBodyRegion());
  // One type serves all arguments, so that a place in either may be passed on.
  int64_t size = std::max<int64_t>(1, module.weights.getSize());
  for (const Function &function : computations)
    size = std::max(size, function.converter->getArenaSize());
  floats = MemRefType::get({size}, builder.getF32Type());
  const int64_t numWords = module.tables.getValues().size();
  ints =
      MemRefType::get({std::max<int64_t>(1, numWords)}, builder.getI32Type());
  getOperation()->setAttr(kernel::kRowTablesAttr, builder.getDenseI32ArrayAttr(
                                                      module.tables.getCode()));
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
  KernelModule module(target, device, precision, parallelFlops);
  computations.clear();
  for (auto computation : getOperation().getOps<ComputationOp>())
    if (failed(convert(computation, module)))
      return signalPassFailure();
  if (computations.empty())
    return;
  createMemory(module);
  for (Function &function : computations)
    createFunction(function);
  computations.clear();
  OpBuilder builder(&getContext());
  if (precision != Precision::F32)
    getOperation()->setAttr("nnet3.precision",
                            builder.getStringAttr(getPrecisionName(precision)));
  getOperation()->setAttr("nnet3.packed_weights",
                          module.weights.getLayout(&getContext()));
  getOperation()->setAttr("nnet3.packed_weights_size",
                          builder.getI64IntegerAttr(module.weights.getSize()));
  getOperation()->setAttr("nnet3.runtime_calls",
                          builder.getArrayAttr(module.runtimeCalls));
}
