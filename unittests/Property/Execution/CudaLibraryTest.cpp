//===- CudaLibraryTest.cpp - Libraries for a GPU against the interpreter --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What nnet3-compile --target=cuda --emit=lib puts into a library, linked into
// this process, with a driver that is not real.
//
//===----------------------------------------------------------------------===//

#include "DeviceExecution.h"
#include "NativeExecution.h"
#include "Networks/RandomComponents.h"
#include "PropertyTest.h"

#include "library/CudaBackend.h"
#include "nnet3/Execution/CompiledLibrary.h"
#include "nnet3/Execution/NativeProgram.h"
#include "nnet3/Pipelines/DeviceCode.h"
#include "nnet3/Target/Library/LibraryEmitter.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;
using mlir::nnet3::CompiledLibrary;
using mlir::nnet3::HostSymbol;
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

class CudaLibraryTest : public PropertyTest {
protected:
  /// Without cuBLASLt; CudaTest has it.
  CudaLibraryTest() {
    fake = &cuda;
    cuda.removeBlasLt();
  }

  /// Compiles the requests of a network.
  void build(NetworkOp network, llvm::ArrayRef<RequestOp> requests);
  void build(mlir::ModuleOp module);

  std::unique_ptr<mlir::nnet3::test::GpuEmulator> emulator = makeEmulator(2);
  FakeCuda cuda;
  std::unique_ptr<HostKernels> kernels;
  std::shared_ptr<CompiledLibrary> library;
};

/// What a library consists of.
struct Code {
  std::unique_ptr<mlir::nnet3::NativeWeights> weights;
  std::unique_ptr<mlir::nnet3::LoadedObject> object;
};

} // namespace

void CudaLibraryTest::build(mlir::ModuleOp module) {
  mlir::PassManager passes(module->getContext());
  addDevicePasses(passes, mlir::nnet3::Stage::Lowered, /*testMode=*/false);
  ASSERT_TRUE(mlir::succeeded(passes.run(module)));
  auto program = mlir::nnet3::emitDeviceProgram(module, {"sm_80"});
  ASSERT_TRUE(mlir::succeeded(program));
  auto data =
      mlir::nnet3::collectLibraryData(module, /*cpuFeatures=*/{}, &*program);
  ASSERT_TRUE(mlir::succeeded(data));
  mlir::nnet3::LibraryOptions options;
  auto object = mlir::nnet3::emitLibraryObject(module, *data, options);
  ASSERT_TRUE(mlir::succeeded(object));
  auto code = std::make_shared<Code>();
  code->weights = std::make_unique<mlir::nnet3::NativeWeights>(data->weights);
  std::string weightsName = options.getWeightsSymbol();
  code->object = llvm::cantFail(mlir::nnet3::LoadedObject::load(
      *object, getSymbols(weightsName, code->weights->getBytes().data())));
  library = llvm::cantFail(CompiledLibrary::open(
      options.prefix,
      [&](llvm::StringRef name) {
        return llvm::cantFail(code->object->lookup(name));
      },
      code));
}

void CudaLibraryTest::build(NetworkOp network,
                            llvm::ArrayRef<RequestOp> requests) {
  auto made =
      HostKernels::create(copyNetwork(network, requests),
                          /*training=*/{}, Precision::F32, emulator.get());
  ASSERT_TRUE(mlir::succeeded(made));
  kernels = std::move(*made);
  kernels->addTo(cuda);
  build(*copyNetwork(network, requests));
}

/// Two requests in one library: that of the case, twice.
TEST_F(CudaLibraryTest, SameNumbers) {
  int numCases = 0;
  forEachComputable([&](Case &test, ComputationOp computation) {
    // Compiling for two machines takes long.
    if (test.getSeed() % 4 != 2)
      return;
    Outputs expected = run(test, computation);
    ASSERT_EQ(expected.error, "");
    RequestOp request = test.getRequestOp();
    mlir::OwningOpRef<RequestOp> again = request.clone();
    again->setSymName("again");
    build(test.getNetworkOp(), {request, *again});
    ASSERT_FALSE(HasFailure());
    for (int32_t number : {0, 1}) {
      auto instance = library->makeInstance(number);
      ASSERT_TRUE(bool(instance));
      EXPECT_EQ(compareOutputs(runThreeTimes(test, **instance), expected), "");
    }
    library.reset();
    expectNoFindings(emulator.get());
    EXPECT_EQ(cuda.numAlive, 0);
    ++numCases;
  });
  std::printf("%d cases\n", numCases);
  EXPECT_GT(numCases, 0);
}

/// Launched, recorded and replayed, each run with the numbers that the
/// interpreter draws in it.
TEST_F(CudaLibraryTest, SameRandomNumbers) {
  int numCases = 0;
  forEachCase([&](Case &test) {
    Random random(test.getSeed());
    if (!drawNumbers(test.getNetworkOp(), random))
      return;
    Compiled compiled = compile(test);
    if (!compiled.op)
      return;
    auto program = load(test, compiled.op);
    ASSERT_TRUE(program.ok());
    auto interpreter = ::nnet3::rt::Instance::create(*program);
    ASSERT_TRUE(interpreter.ok());
    build(test.getNetworkOp(), {test.getRequestOp()});
    ASSERT_FALSE(HasFailure());
    auto instance = library->makeInstance(0);
    ASSERT_TRUE(bool(instance));
    for (int i = 0; i < 3; ++i) {
      Outputs expected = run(test, **interpreter);
      EXPECT_EQ(compareOutputs(runOnce(test, **instance), expected), "");
    }
    instance->reset();
    library.reset();
    expectNoFindings(emulator.get());
    EXPECT_EQ(cuda.numAlive, 0);
    ++numCases;
  });
  std::printf("%d cases\n", numCases);
  EXPECT_GT(numCases, 0);
}
