//===- DeviceProgram.cpp - Code and launches for a GPU --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Cuda/DeviceProgram.h"
#include "nnet3/Target/Program/LoopedLists.h"

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
  LogicalResult addRequest(func::FuncOp function);
  LogicalResult addLaunch(gpu::LaunchFuncOp launch);
  LogicalResult addProduct(func::CallOp call);
  LogicalResult addPlaces(Operation *op, ValueRange operands);
  /// Number of kernel `key`; `make` fills it in if it is new.
  int64_t getKernel(StringRef key, function_ref<void(cuda::Kernel &)> make);

  ModuleOp module;
  DeviceProgram program;
  llvm::StringMap<int64_t> numbers; ///< of kernels, by their keys
  std::vector<int64_t> *launches = nullptr;
};
} // namespace

static int64_t getNumber(DictionaryAttr attributes, StringRef name) {
  return attributes.getAs<IntegerAttr>(name).getInt();
}

static void addMatrices(Operation *function, StringRef attribute,
                        std::vector<std::string> &names,
                        std::vector<cuda::DeviceMatrix> &matrices) {
  auto list = function->getAttrOfType<ArrayAttr>(attribute);
  for (auto matrix : list.getAsRange<DictionaryAttr>()) {
    names.push_back(matrix.getAs<StringAttr>("node").str());
    matrices.push_back({uint64_t(getNumber(matrix, "place")),
                        int32_t(getNumber(matrix, "rows")),
                        int32_t(getNumber(matrix, "cols"))});
  }
}

/// The gradient of parameters, outputs of the device behind all others.
static void addGradients(Operation *function, DeviceProgram::Request &request) {
  auto list = function->getAttrOfType<ArrayAttr>("nnet3.gradients");
  if (!list)
    return;
  for (auto gradient : list.getAsRange<DictionaryAttr>()) {
    request.gradients.push_back(
        {gradient.getAs<StringAttr>("component").str(),
         gradient.getAs<StringAttr>("parameter").str()});
    request.request.outputs.push_back({uint64_t(getNumber(gradient, "place")),
                                       int32_t(getNumber(gradient, "rows")),
                                       int32_t(getNumber(gradient, "cols"))});
  }
}

static void addParameters(Operation *function,
                          DeviceProgram::Request &request) {
  auto list = function->getAttrOfType<ArrayAttr>("nnet3.parameters");
  if (!list)
    return;
  for (auto parameter : list.getAsRange<DictionaryAttr>())
    request.parameters.push_back(
        {parameter.getAs<StringAttr>("component").str(),
         parameter.getAs<StringAttr>("parameter").str(),
         uint64_t(getNumber(parameter, "place")),
         uint64_t(getNumber(parameter, "size"))});
}

/// Statistics, which the caller gives before a run and gets behind it.
static void addStatistics(Operation *function, cuda::DeviceRequest &request) {
  auto list = function->getAttrOfType<ArrayAttr>("nnet3.statistics");
  if (!list)
    return;
  for (auto entry : list.getAsRange<DictionaryAttr>())
    request.statistics.push_back({entry.getAs<StringAttr>("component").str(),
                                  entry.getAs<BoolAttr>("gradient").getValue(),
                                  uint64_t(getNumber(entry, "place")),
                                  uint64_t(getNumber(entry, "size"))});
}

static cuda::Step getStep(DictionaryAttr attributes) {
  cuda::Step step;
  auto component = attributes.getAs<StringAttr>("component");
  if (!component)
    return step;
  step.component = component.str();
  step.number = getNumber(attributes, "number");
  step.rows = getNumber(attributes, "rows");
  step.columns = getNumber(attributes, "columns");
  step.stride = getNumber(attributes, "stride");
  step.isTwoSided = attributes.getAs<BoolAttr>("two_sided").getValue();
  if (attributes.contains("part"))
    step.part = getNumber(attributes, "part");
  return step;
}

static cuda::Product getProduct(DictionaryAttr shape) {
  auto number = [&](StringRef name) { return getNumber(shape, name); };
  cuda::Product product;
  if (auto factors = shape.getAs<IntegerAttr>("factors"))
    product.factors = cuda::ProductFactors(factors.getInt());
  if (auto type = shape.getAs<IntegerAttr>("factor_type"))
    product.factorType = type.getInt();
  product.rows = number("rows");
  product.columns = number("columns");
  product.depth = number("depth");
  product.inputStride = number("input_stride");
  product.weightsStride = number("weights_stride");
  product.outputStride = number("output_stride");
  product.batches = number("batches");
  product.inputBatch = number("input_batch");
  product.outputBatch = number("output_batch");
  product.epilogue = number("epilogue");
  product.beta = shape.getAs<FloatAttr>("beta").getValue().convertToFloat();
  return product;
}

/// The form that a launch or the function of a product belongs to.
static cuda::Form getForm(Operation *op) {
  auto form = op->getAttrOfType<StringAttr>("nnet3.form");
  if (!form)
    return cuda::Form::Always;
  return form.getValue() == "fused" ? cuda::Form::Fused : cuda::Form::Apart;
}

int64_t Collector::getKernel(StringRef key,
                             function_ref<void(cuda::Kernel &)> make) {
  auto &kernels = program.code.kernels;
  auto [number, isNew] = numbers.try_emplace(key, kernels.size());
  if (isNew)
    make(kernels.emplace_back());
  return number->second;
}

/// The constants among `operands`, which are what stands behind memory.
LogicalResult Collector::addPlaces(Operation *op, ValueRange operands) {
  for (Value operand : operands) {
    if (!operand.getType().isIndex())
      continue;
    auto place = getConstantIntValue(operand);
    if (!place)
      return op->emitOpError("expects constant places");
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
  const cuda::Form form = getForm(launch);
  // Launches of one function differ.
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

LogicalResult Collector::addProduct(func::CallOp call) {
  auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
  auto shape = callee->getAttrOfType<DictionaryAttr>("nnet3.product");
  auto step = callee->getAttrOfType<DictionaryAttr>("nnet3.step");
  if (!shape && !step)
    return call.emitOpError("of a function that is no product");
  launches->push_back(getKernel(call.getCallee(), [&](cuda::Kernel &kernel) {
    kernel.numPlaces = countPlaces(call.getOperands());
    if (step)
      kernel.step = getStep(step);
    else
      kernel.product = getProduct(shape);
    kernel.form = getForm(callee);
  }));
  return addPlaces(call, call.getOperands());
}

LogicalResult Collector::addRequest(func::FuncOp function) {
  DeviceProgram::Request &request = program.requests.emplace_back();
  request.name = function.getSymName().str();
  request.request.arenaFloats =
      function->getAttrOfType<IntegerAttr>("nnet3.arena_size").getInt();
  addMatrices(function, "nnet3.inputs", request.inputs, request.request.inputs);
  addMatrices(function, "nnet3.outputs", request.outputs,
              request.request.outputs);
  addGradients(function, request);
  addParameters(function, request);
  if (auto place = function->getAttrOfType<IntegerAttr>("nnet3.random"))
    request.request.random = place.getInt();
  addStatistics(function, request.request);
  launches = &request.request.launches;
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("expects a body of one block");
  for (Operation &op : function.getBody().front()) {
    LogicalResult added =
        llvm::TypeSwitch<Operation *, LogicalResult>(&op)
            .Case([&](gpu::LaunchFuncOp launch) { return addLaunch(launch); })
            .Case([&](func::CallOp call) { return addProduct(call); })
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
  if (auto precision = module->getAttrOfType<StringAttr>("nnet3.precision"))
    program.code.precision = precision.str();
  auto tables = expandRowTables(module);
  if (failed(tables))
    return failure();
  program.code.rowTables = std::move(*tables);
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr("nnet3.arena_size") && failed(addRequest(function)))
      return failure();
  return std::move(program);
}

FailureOr<DeviceProgram> mlir::nnet3::collectDeviceProgram(ModuleOp module) {
  return Collector(module).collect();
}
