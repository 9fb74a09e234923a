//===- DeviceCode.cpp - From computations to code of a GPU ----------------===//

#include "nnet3/Pipelines/DeviceCode.h"
#include "nnet3/Conversion/KernelsToGpu/Passes.h"
#include "nnet3/Conversion/KernelsToGpu/Pipeline.h"
#include "nnet3/Conversion/Nnet3ToKernels/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassManager.h"

using namespace nnet3;
using namespace mlir;
using namespace mlir::nnet3;

void ::nnet3::addDevicePasses(OpPassManager &module, Stage stage,
                              bool testMode) {
  if (!addCommandPasses(module, stage, testMode))
    return;
  Nnet3ConvertToKernelsOptions options;
  options.device = true;
  module.addPass(createNnet3ConvertToKernels(options));
  if (stage != Stage::Lowered)
    return;
  module.addPass(createNnet3ConvertKernelsToGpu());
  addGpuToNVVMPasses(module);
}

FailureOr<std::string>(::nnet3::emitPTX)(ModuleOp module, StringRef chip) {
  DialectRegistry registry;
  registerGpuTarget(registry);
  module->getContext()->appendDialectRegistry(registry);
  PassManager passes(module->getContext());
  addPTXPasses(passes, chip);
  if (failed(passes.run(module)))
    return failure();
  auto binaries = module.getOps<gpu::BinaryOp>();
  if (binaries.empty())
    return module.emitError("has no kernels for a GPU");
  auto object = cast<gpu::ObjectAttr>((*binaries.begin()).getObjects()[0]);
  return object.getObject().getValue().str();
}
