//===- DeviceProgram.cpp - Code and launches for a GPU --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Cuda/DeviceProgram.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::nnet3;
namespace cuda = ::nnet3::rt::cuda;

namespace {
class Collector {
public:
  explicit Collector(ModuleOp module) : module(module) {}

  FailureOr<DeviceProgram> collect();

private:
  LogicalResult addRequest(kernel::EntryOp entry);
  LogicalResult addLaunch(gpu::LaunchFuncOp launch);
  LogicalResult addCall(func::CallOp call);
  LogicalResult addPlaces(Operation *op, ValueRange operands);
  /// Returns the number of the kernel `key`; `make` fills a new one in.
  int64_t getKernel(StringRef key, function_ref<void(cuda::Kernel &)> make);

  ModuleOp module;
  DeviceProgram program;
  llvm::StringMap<int64_t> numbers; ///< kernel numbers by key
  std::vector<int64_t> *launches = nullptr;
};
} // namespace

static cuda::DeviceMatrix getMatrix(int64_t place, int64_t rows, int64_t cols) {
  return {uint64_t(place), int32_t(rows), int32_t(cols)};
}

static void addMatrices(ArrayAttr list, std::vector<std::string> &names,
                        std::vector<cuda::DeviceMatrix> &matrices) {
  for (auto io : list.getAsRange<kernel::IoAttr>()) {
    names.push_back(io.getNode().str());
    matrices.push_back(getMatrix(io.getOffset(), io.getRows(), io.getCols()));
  }
}

/// Adds the inputs and outputs that only training requests have. The gradient
/// of parameters is the last group of device outputs. Statistics are inputs
/// before a run and outputs after it.
static void addTraining(kernel::EntryOp entry,
                        DeviceProgram::Request &request) {
  if (auto list = entry.getGradients())
    for (auto of : list->getAsRange<kernel::GradientAttr>()) {
      request.gradients.push_back(
          {of.getComponent().str(), of.getParameter().str()});
      request.request.outputs.push_back(
          getMatrix(of.getOffset(), of.getRows(), of.getCols()));
    }
  if (auto list = entry.getParameters())
    for (auto of : list->getAsRange<kernel::ParameterAttr>())
      request.parameters.push_back(
          {of.getComponent().str(), of.getParameter().str(),
           uint64_t(of.getOffset()), uint64_t(of.getSize())});
  if (auto list = entry.getStatistics())
    for (auto of : list->getAsRange<kernel::StatisticAttr>())
      request.request.statistics.push_back(
          {of.getComponent().str(), of.getGradient(), uint64_t(of.getOffset()),
           uint64_t(of.getSize())});
}

static cuda::Step makeStep(StringRef component, MemRefType rows) {
  auto [strides, offset] = rows.getStridesAndOffset();
  cuda::Step step;
  step.component = component.str();
  std::tie(step.rows, step.columns) = kernel::getShape(rows);
  step.stride = strides.front();
  return step;
}

static cuda::Step getStep(kernel::PreconditionOp op) {
  cuda::Step step = makeStep(op.getComponent(), op.getRows().getType());
  step.number = op.getNumber();
  step.isTwoSided = op.getTwoSided();
  if (op.getPart())
    step.part = *op.getPart();
  return step;
}

/// Returns the batch stride (0 for a single batch) and the row stride in
/// elements; a float holds `numbers` elements.
static std::pair<int64_t, int64_t> getStrides(MemRefType type,
                                              int64_t numbers) {
  auto [strides, offset] = type.getStridesAndOffset();
  return {type.getDimSize(0) > 1 ? strides[0] * numbers : 0,
          strides[strides.size() - 2] * numbers};
}

/// Returns CUDA's number of the element type.
static int32_t getFactorType(Precision precision) {
  constexpr int32_t half = 2, bfloat16 = 14;
  if (!hasHalves(precision))
    return 0;
  return precision == Precision::FP16 ? half : bfloat16;
}

static cuda::Product getProduct(kernel::MatmulOp op) {
  const int64_t numbers = getNumbersPerWord(op.getPrecision());
  MemRefType output = op.getOutput().getType();
  cuda::Product product;
  product.factors = cuda::ProductFactors(op.getFactors());
  product.factorType = getFactorType(op.getPrecision());
  product.batches = output.getDimSize(0);
  product.rows = output.getDimSize(1);
  product.columns = output.getDimSize(2);
  product.depth = op.getDepth();
  std::tie(product.inputBatch, product.inputStride) =
      getStrides(op.getInput().getType(), numbers);
  std::tie(product.outputBatch, product.outputStride) = getStrides(output, 1);
  product.weightsStride = getStrides(op.getWeights().getType(), numbers).second;
  product.epilogue = op.getBias() ? cuda::Product::kBias : 0;
  product.beta = op.getBeta().convertToFloat();
  return product;
}

static cuda::Form getForm(kernel::FormAttr form) {
  if (!form)
    return cuda::Form::Always;
  return form.getValue() == kernel::Form::Fused ? cuda::Form::Fused
                                                : cuda::Form::Apart;
}

int64_t Collector::getKernel(StringRef key,
                             function_ref<void(cuda::Kernel &)> make) {
  auto &kernels = program.code.kernels;
  auto [number, isNew] = numbers.try_emplace(key, kernels.size());
  if (isNew)
    make(kernels.emplace_back());
  return number->second;
}

/// Appends the offsets among `operands`, which are constants.
LogicalResult Collector::addPlaces(Operation *op, ValueRange operands) {
  for (Value operand : operands) {
    if (!operand.getType().isIndex())
      continue;
    auto place = getConstantIntValue(operand);
    if (!place)
      return op->emitOpError("expects constant offsets");
    launches->push_back(*place);
  }
  return success();
}

static uint32_t countPlaces(ValueRange operands) {
  return llvm::count_if(operands,
                        [](Value v) { return v.getType().isIndex(); });
}

LogicalResult Collector::addLaunch(gpu::LaunchFuncOp launch) {
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
  auto x = getConstantIntValue(grid.x), y = getConstantIntValue(grid.y),
       threads = getConstantIntValue(block.x);
  if (!x || !y || !threads)
    return launch.emitOpError("expects constant numbers of blocks and threads");
  const cuda::Form form =
      getForm(launch->getAttrOfType<kernel::FormAttr>(kernel::FormAttr::name));
  // Launches of the same function may have different grids.
  const std::string key = llvm::formatv(
      "{0} {1} {2} {3}", launch.getKernelName().getValue(), *x, *y, int(form));
  launches->push_back(getKernel(key, [&](cuda::Kernel &kernel) {
    kernel.name = launch.getKernelName().str();
    kernel.blocksX = *x;
    kernel.blocksY = *y;
    kernel.threads = *threads;
    kernel.numPlaces = countPlaces(launch.getKernelOperands());
    kernel.form = form;
  }));
  return addPlaces(launch, launch.getKernelOperands());
}

LogicalResult Collector::addCall(func::CallOp call) {
  auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
  auto find = [&](auto type) {
    auto ops = callee.getOps<decltype(type)>();
    return ops.empty() ? type : *ops.begin();
  };
  auto matmul = find(kernel::MatmulOp());
  auto precondition = find(kernel::PreconditionOp());
  auto allreduce = find(kernel::AllreduceOp());
  auto sum = find(kernel::SumGradientOp());
  if (!matmul && !precondition && !allreduce && !sum &&
      !find(kernel::ComputeObjectivesOp()))
    return call.emitOpError("of a function that the runtime cannot execute");
  launches->push_back(getKernel(call.getCallee(), [&](cuda::Kernel &kernel) {
    kernel.numPlaces = countPlaces(call.getOperands());
    if (matmul) {
      kernel.product = getProduct(matmul);
      kernel.form = getForm(matmul.getFormAttr());
    } else if (allreduce) {
      kernel.step.emplace();
      kernel.step->sums = true;
      kernel.step->rows = 1;
      kernel.step->columns = kernel.step->stride =
          allreduce.getNumbers().getType().getDimSize(0);
    } else if (sum) {
      kernel.step = makeStep(sum.getComponent(), sum.getGradient().getType());
      kernel.step->parameter = sum.getParameter().str();
    } else {
      kernel.step = precondition ? getStep(precondition) : cuda::Step();
    }
  }));
  return addPlaces(call, call.getOperands());
}

LogicalResult Collector::addRequest(kernel::EntryOp entry) {
  auto function = module.lookupSymbol<func::FuncOp>(entry.getFunction());
  if (!function)
    return entry.emitOpError("expects a function of launches");
  DeviceProgram::Request &request = program.requests.emplace_back();
  request.name = entry.getFunction().str();
  request.request.arenaFloats = entry.getArenaSize();
  addMatrices(entry.getInputs(), request.inputs, request.request.inputs);
  addMatrices(entry.getOutputs(), request.outputs, request.request.outputs);
  addTraining(entry, request);
  request.request.random = entry.getRandom();
  launches = &request.request.launches;
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("expects a body of one block");
  for (Operation &op : function.getBody().front()) {
    LogicalResult added =
        llvm::TypeSwitch<Operation *, LogicalResult>(&op)
            .Case([&](gpu::LaunchFuncOp launch) { return addLaunch(launch); })
            .Case([&](func::CallOp call) { return addCall(call); })
            .Case<arith::ConstantOp, func::ReturnOp>(
                [](auto) { return success(); })
            .Default(
                [](Operation *op) { return op->emitOpError("is no launch"); });
    if (failed(added))
      return failure();
  }
  return success();
}

FailureOr<DeviceProgram> Collector::collect() {
  if (auto resources = kernel::ResourcesOp::find(module)) {
    program.code.precision = getPrecisionName(resources.getPrecision()).str();
    program.code.rowTables = resources.getRowTableEntries();
  }
  for (auto entry : module.getOps<kernel::EntryOp>())
    if (failed(addRequest(entry)))
      return failure();
  return std::move(program);
}

FailureOr<DeviceProgram> mlir::nnet3::collectDeviceProgram(ModuleOp module) {
  return Collector(module).collect();
}
