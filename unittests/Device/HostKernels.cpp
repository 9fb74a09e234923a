//===- HostKernels.cpp - Kernels for a driver that is not real ------------===//

#include "HostKernels.h"

#include "nnet3/Conversion/KernelsToLLVM/Pipeline.h"
#include "nnet3/Conversion/Nnet3ToKernels/Passes.h"
#include "nnet3/Fusion/KernelInterfaces.h"
#include "nnet3/Pipelines/DeviceCode.h"
#include "nnet3/Target/Library/ObjectEmitter.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"

using namespace nnet3::test;
using namespace mlir;
using namespace mlir::nnet3;
using ::nnet3::runtime::test::FakeCuda;

/// More places than any kernel has: a callee that has fewer leaves the others
/// alone.
static constexpr size_t kMaxPlaces = 24;

/// Arena, weights, row tables, context, places.
using Function = void (*)(float *, const float *, const int32_t *, void *,
                          int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                          int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                          int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                          int64_t, int64_t, int64_t, int64_t, int64_t, int64_t);

template <size_t... i>
static void call(Function function, float *arena, const float *weights,
                 const int32_t *tables, const int64_t *places,
                 std::index_sequence<i...>) {
  function(arena, weights, tables, nullptr, places[i]...);
}

OwningOpRef<ModuleOp>(::nnet3::test::copyNetwork)(
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
HostKernels::create(OwningOpRef<ModuleOp> module, bool updates,
                    Precision precision) {
  PassManager passes(module->getContext());
  const bool isTraining =
      llvm::any_of(module->getOps<RequestOp>(), hasDerivatives);
  addDevicePasses(passes, ::nnet3::Stage::Kernels, /*testMode=*/false,
                  precision, isTraining, updates);
  addKernelsToLLVMPasses(passes);
  if (failed(passes.run(*module)))
    return failure();
  return load(*module);
}

FailureOr<std::unique_ptr<HostKernels>>
HostKernels::createUpdateKernels(MLIRContext *context) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(context));
  PassManager passes(context);
  passes.addPass(createNnet3MakeUpdateKernels());
  addKernelsToLLVMPasses(passes);
  if (failed(passes.run(*module)))
    return failure();
  return load(*module);
}

FailureOr<std::unique_ptr<HostKernels>> HostKernels::load(ModuleOp module) {
  auto code = emitCode(module, CodeTarget(), CodeForm::Object);
  if (failed(code))
    return failure();
  auto result = std::make_unique<HostKernels>();
  auto object = LoadedObject::load(*code, {});
  if (!object)
    return module.emitError(llvm::toString(object.takeError()));
  result->object = std::move(*object);
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (!function->hasAttr("nnet3.threads"))
      continue;
    // Behind arena, weights, row tables and context.
    const size_t numPlaces = function.getNumArguments() - 4;
    auto address = result->object->lookup(function.getSymName());
    if (!address)
      return function.emitError(llvm::toString(address.takeError()));
    if (numPlaces > kMaxPlaces)
      return function.emitError("has too many places");
    result->kernels[function.getSymName().str()] = {*address, int(numPlaces)};
  }
  return result;
}

void HostKernels::addTo(FakeCuda &cuda) const {
  for (const auto &[name, kernel] : kernels) {
    auto function = reinterpret_cast<Function>(kernel.function);
    cuda.kernels[name] = {[function](float *arena, const float *weights,
                                     const int32_t *tables,
                                     const std::vector<int64_t> &places) {
                            std::vector<int64_t> all = places;
                            all.resize(kMaxPlaces);
                            call(function, arena, weights, tables, all.data(),
                                 std::make_index_sequence<kMaxPlaces>());
                          },
                          kernel.numPlaces};
  }
}
