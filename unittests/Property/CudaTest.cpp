//===- CudaTest.cpp - A GPU that is not there against the interpreter -----===//
//
// The whole way of nnet3-run --backend=cuda, but for PTX: the kernels that the
// fake driver launches are the same parallel loops, as code of this machine.
//
//===----------------------------------------------------------------------===//

#include "NativeExecution.h"
#include "PropertyTest.h"

#include "FakeCuda.h"
#include "nnet3/Conversion/KernelsToLLVM/Pipeline.h"
#include "nnet3/Pipelines/CudaRunner.h"
#include "nnet3/Pipelines/DeviceCode.h"
#include "nnet3/Target/Library/LoadedObject.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"

using namespace nnet3::property;
using namespace mlir::nnet3;
using nnet3::runtime::test::FakeCuda;

namespace {

using CudaTest = PropertyTest;

/// Kernels of one request as functions of this machine.
class HostKernels {
public:
  HostKernels(NetworkOp network, RequestOp request);

  void addTo(FakeCuda &cuda);

private:
  /// More places than any kernel has: a callee that has fewer leaves the others
  /// alone.
  static constexpr size_t kMaxPlaces = 24;
  using Function = void (*)(float *, const float *, const int32_t *, void *,
                            int64_t, int64_t, int64_t, int64_t, int64_t,
                            int64_t, int64_t, int64_t, int64_t, int64_t,
                            int64_t, int64_t, int64_t, int64_t, int64_t,
                            int64_t, int64_t, int64_t, int64_t, int64_t,
                            int64_t, int64_t, int64_t, int64_t);

  template <size_t... i>
  static void call(Function function, float *arena, const float *weights,
                   const int32_t *tables, const int64_t *places,
                   std::index_sequence<i...>) {
    function(arena, weights, tables, nullptr, places[i]...);
  }

  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::map<std::string, int> numPlaces;
  std::unique_ptr<nnet3::LoadedObject> object;
};

} // namespace

HostKernels::HostKernels(NetworkOp network, RequestOp request)
    : module(mlir::ModuleOp::create(request.getLoc())) {
  auto builder = mlir::OpBuilder::atBlockEnd(module->getBody());
  builder.clone(*network);
  builder.clone(*request);
  mlir::PassManager passes(module->getContext());
  addDevicePasses(passes, nnet3::Stage::Kernels, /*testMode=*/false);
  addKernelsToLLVMPasses(passes);
  EXPECT_TRUE(mlir::succeeded(passes.run(*module)));
  for (auto function : module->getOps<mlir::LLVM::LLVMFuncOp>())
    if (function->hasAttr("nnet3.threads"))
      // Behind arena, weights, row tables and context.
      numPlaces[function.getSymName().str()] = function.getNumArguments() - 4;
  auto code =
      nnet3::emitCode(*module, nnet3::CodeTarget(), nnet3::CodeForm::Object);
  EXPECT_TRUE(mlir::succeeded(code));
  object = llvm::cantFail(nnet3::LoadedObject::load(*code, {}));
}

void HostKernels::addTo(FakeCuda &cuda) {
  for (const auto &[name, count] : numPlaces) {
    ASSERT_LE(size_t(count), kMaxPlaces);
    auto function =
        reinterpret_cast<Function>(llvm::cantFail(object->lookup(name)));
    cuda.kernels[name] = {[function](float *arena, const float *weights,
                                     const int32_t *tables,
                                     const std::vector<int64_t> &places) {
                            std::vector<int64_t> all = places;
                            all.resize(kMaxPlaces);
                            call(function, arena, weights, tables, all.data(),
                                 std::make_index_sequence<kMaxPlaces>());
                          },
                          count};
  }
}

static nnet3::runtime::ConstMatrixView getView(const RandomIo &io,
                                               int64_t columns) {
  return {io.values.data(), int32_t(io.values.size() / columns),
          int32_t(columns), columns};
}

/// The outputs of three runs, which are equal: launched, recorded, replayed.
static Outputs runCuda(const Case &test, nnet3::CudaRunner &runner) {
  auto instance = runner.makeInstance(test.getRequestOp());
  if (mlir::failed(instance))
    return {{}, "cannot be compiled"};
  std::vector<Outputs> results(3);
  for (Outputs &result : results) {
    for (const RandomIo &io : test.getRequest().inputs) {
      auto status =
          (*instance)->setInput(io.node, getView(io, runner.getDim(io.node)));
      if (!status.ok())
        return {{}, status.message()};
    }
    auto status = (*instance)->run();
    if (!status.ok())
      return {{}, status.message()};
    for (const RandomIo &io : test.getRequest().outputs) {
      auto output = (*instance)->output(io.node);
      if (!output.ok())
        return {{}, output.status().message()};
      result.values[io.node] = {output->data,
                                output->data + output->rows * output->cols};
    }
  }
  if (results[1].values != results[0].values ||
      results[2].values != results[0].values)
    return {{}, "the graph computes other numbers"};
  return results[0];
}

TEST_F(CudaTest, SameNumbers) {
  int numCases = 0;
  forEachComputable([&](Case &test, ComputationOp computation) {
    // Compiling for two machines takes long.
    if (test.getSeed() % 4 != 0)
      return;
    Outputs expected = run(test, computation);
    ASSERT_EQ(expected.error, "");
    FakeCuda cuda;
    {
      auto runner =
          nnet3::CudaRunner::create(test.getNetworkOp(), {}, &cuda.getApi());
      ASSERT_TRUE(mlir::succeeded(runner));
      HostKernels kernels(test.getNetworkOp(), test.getRequestOp());
      kernels.addTo(cuda);
      EXPECT_EQ(compareOutputs(runCuda(test, **runner), expected), "");
    }
    EXPECT_EQ(cuda.numAlive, 0);
    ++numCases;
  });
  std::printf("%d cases\n", numCases);
  EXPECT_GT(numCases, 0);
}
