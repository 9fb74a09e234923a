//===- FakeCudaLibrary.cpp - Libraries for the fake GPU -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FakeCudaLibrary.h"

#include "library/CudaBackend.h"
#include "nnet3/Execution/NativeProgram.h"
#include "nnet3/Pipelines/DeviceCode.h"
#include "nnet3/Target/Library/LibraryEmitter.h"

#include "mlir/Pass/PassManager.h"

#include "gtest/gtest.h"

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;
using mlir::nnet3::test::copyNetwork;
using mlir::nnet3::test::HostKernels;
using ::nnet3::rt::test::FakeCuda;
namespace cuda = ::nnet3::rt::cuda;

static FakeCuda *fake = nullptr;

static ::nnet3::rt::Result<const cuda::CudaApi *> loadFake() {
  return &fake->getApi();
}

static constexpr nnet3lib_backend kBackend = {
    [](const nnet3lib_model &model,
       std::unique_ptr<::nnet3::rt::BackendModel> &loaded) {
      return ::nnet3::rt::loadCudaModel(model, loadFake, loaded);
    }};

static std::vector<HostSymbol> getSymbols(const std::string &weightsName,
                                          const void *weights) {
  return {
      HostSymbol{weightsName, weights},
      HostSymbol{"nnet3lib_cuda_backend", &kBackend},
#define NNET3LIB_WRAPPER(name, signature)                                      \
  HostSymbol{"nnet3lib_" #name,                                                \
             reinterpret_cast<const void *>(nnet3lib_##name)},
#define NNET3LIB_IMAGE_WRAPPER(name, signature)                                \
  HostSymbol{"nnet3lib_" #name "_image",                                       \
             reinterpret_cast<const void *>(nnet3lib_##name##_image)},
#include "nnet3/runtime/LibraryWrappers.def"
  };
}

namespace {

/// The weights and the code of the library.
struct Code {
  std::unique_ptr<mlir::nnet3::NativeWeights> weights;
  std::unique_ptr<mlir::nnet3::LoadedObject> object;
};

} // namespace

FakeCudaLibrary::FakeCudaLibrary() {
  fake = &cuda;
  cuda.removeBlasLt();
}

static std::shared_ptr<CompiledLibrary> link(mlir::ModuleOp module) {
  mlir::PassManager passes(module->getContext());
  addDevicePasses(passes, mlir::nnet3::Stage::Lowered, /*testMode=*/false);
  EXPECT_TRUE(mlir::succeeded(passes.run(module)));
  auto program = mlir::nnet3::emitDeviceProgram(module, {"sm_80"});
  EXPECT_TRUE(mlir::succeeded(program));
  auto data =
      mlir::nnet3::collectLibraryData(module, /*cpuFeatures=*/{}, &*program);
  EXPECT_TRUE(mlir::succeeded(data));
  mlir::nnet3::LibraryOptions options;
  auto object = mlir::nnet3::emitLibraryObject(module, *data, options);
  EXPECT_TRUE(mlir::succeeded(object));
  auto code = std::make_shared<Code>();
  code->weights = std::make_unique<mlir::nnet3::NativeWeights>(data->weights);
  std::string weightsName = options.getWeightsSymbol();
  code->object = llvm::cantFail(mlir::nnet3::LoadedObject::load(
      *object, getSymbols(weightsName, code->weights->getBytes().data())));
  return llvm::cantFail(CompiledLibrary::open(
      options.prefix,
      [&](llvm::StringRef name) {
        return llvm::cantFail(code->object->lookup(name));
      },
      code));
}

void FakeCudaLibrary::build(mlir::OwningOpRef<mlir::ModuleOp> module) {
  auto made = HostKernels::create(module->clone(), /*training=*/{},
                                  Precision::F32, emulator.get());
  ASSERT_TRUE(mlir::succeeded(made));
  kernels = std::move(*made);
  kernels->addTo(cuda);
  library = link(*module);
}

void FakeCudaLibrary::build(NetworkOp network,
                            llvm::ArrayRef<RequestOp> requests) {
  build(copyNetwork(network, requests));
}

void FakeCudaLibrary::close() {
  library.reset();
  expectNoFindings(emulator.get());
  EXPECT_EQ(cuda.numAlive, 0);
}
