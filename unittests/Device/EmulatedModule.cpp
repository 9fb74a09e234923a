//===- EmulatedModule.cpp - Emulated kernels ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "EmulatedModule.h"

#include "nnet3/Conversion/KernelsToGpu/Pipeline.h"
#include "nnet3/Target/Library/ObjectEmitter.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "llvm/IR/Module.h"

using namespace mlir::nnet3::test;
using namespace mlir;

/// Copies the device functions into a new module.
static OwningOpRef<ModuleOp> copyDeviceCode(ModuleOp module) {
  OwningOpRef<ModuleOp> result = ModuleOp::create(module.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(result->getBody());
  for (auto device : module.getOps<gpu::GPUModuleOp>())
    for (Operation &op : *device.getBody())
      builder.clone(op);
  DialectRegistry registry;
  mlir::nnet3::registerGpuTarget(registry);
  module->getContext()->appendDialectRegistry(registry);
  return result;
}

FailureOr<std::unique_ptr<EmulatedModule>>
EmulatedModule::load(ModuleOp module) {
  auto result = std::make_unique<EmulatedModule>();
  if (module.getOps<gpu::GPUModuleOp>().empty())
    return result;
  llvm::Expected<std::vector<EmulatedFunction>> functions{
      std::vector<EmulatedFunction>()};
  auto code = emitCode(*copyDeviceCode(module), CodeTarget(), CodeForm::Object,
                       [&](llvm::Module &code) {
                         functions = makeEmulatedCode(code);
                         // Nothing is made of what is not known.
                         if (!functions)
                           for (llvm::Function &function : code)
                             function.deleteBody();
                       });
  if (!functions)
    return module.emitError(llvm::toString(functions.takeError()));
  if (failed(code))
    return failure();
  if (llvm::Error error = result->link(*code, *functions))
    return module.emitError(llvm::toString(std::move(error)));
  return result;
}

llvm::Error EmulatedModule::link(ArrayRef<char> code,
                                 ArrayRef<EmulatedFunction> functions) {
  SmallVector<HostSymbol> symbols;
  for (const EmulatorHook &hook : getEmulatorHooks())
    symbols.push_back({hook.name, hook.address});
  auto loaded = LoadedObject::load(code, symbols);
  if (!loaded)
    return loaded.takeError();
  object = std::move(*loaded);
  for (const EmulatedFunction &function : functions) {
    auto entry = object->lookup(function.entry);
    if (!entry)
      return entry.takeError();
    EmulatedKernel kernel{function.name,
                          reinterpret_cast<void (*)(void **)>(*entry),
                          function.numParameters,
                          function.maxThreads,
                          {}};
    for (const auto &[name, bytes] : function.shared) {
      auto address = object->lookup(name);
      if (!address)
        return address.takeError();
      kernel.shared.push_back({static_cast<const char *>(*address), bytes,
                               "shared memory", /*isShared=*/true});
    }
    kernels.push_back(std::move(kernel));
  }
  return llvm::Error::success();
}
